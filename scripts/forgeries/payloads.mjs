/**
 * Forgeries of payloads, every hash computed again: shapes, numbers, tokens, requests, artifacts, graph,
 * close. Each breaks a rule of integrity that needs no machine.
 *
 * @module
 */
import { edgeId, nodeId } from '@assay/kernel';
import { chain, changed, draftsOf, fileOf, hashOf, made, proposed, reclosed } from './forge.mjs';
import { integrity } from './records.mjs';
import { AT, POLL, poll } from './runs.mjs';

/** Forgeries of payloads that integrity catches. */
export function payloadForgeries() {
  const drafts = draftsOf(poll());
  const at = (index, change) => fileOf(chain(changed(drafts, index, change)));
  const closed = (index, change) => fileOf(chain(reclosed(changed(drafts, index, change))));
  return [
    integrity(
      'extra-proposal-key-rechained',
      'a key beside those of a proposal',
      at(AT.ballot, (payload) => void (payload.weight = 1)),
      'payload_shape',
      AT.ballot,
      ['payload_shape'],
    ),
    integrity(
      'status-maybe',
      'a close with the status "maybe"',
      at(AT.close, (payload) => void (payload.status = 'maybe')),
      'payload_shape',
      AT.close,
      ['payload_shape'],
    ),
    integrity(
      'spent-negative',
      'a cost of −1',
      at(AT.last, (payload) => void (payload.spent.minutes = -1)),
      'payload_shape',
      AT.last,
      ['payload_shape'],
    ),
    integrity(
      'float-in-decision',
      'a fraction in an event',
      at(AT.voted, (payload) => void (payload.events[0].weight = 0.5)),
      'number',
      AT.voted,
      ['number'],
    ),
    integrity(
      'malformed-token',
      'a $sealed token that holds no hash',
      at(AT.minutes, () => made('minutes', [{ $sealed: 'later' }])),
      'token',
      AT.minutes,
      ['token', 'close'],
    ),
    integrity(
      'proposal-value-rechained',
      'a ballot changed, its proposal_hash left',
      at(AT.ballot, (payload) => void (payload.value.option = 'harbour')),
      'proposal_hash',
      AT.ballot,
      ['proposal_hash'],
    ),
    integrity(
      'request-id-renumbered',
      'a request opened under another number',
      closed(AT.noted, (payload) => void (payload.requests[0].id = '3.1')),
      'request_id',
      AT.noted,
      ['request_id'],
    ),
    integrity(
      'closed-request-answered',
      'a closed request answered again and the answer accepted',
      at(AT.last, (payload) => void (payload.request_id = '1.0')),
      'request_id',
      AT.finish,
      ['request_id', 'close'],
    ),
    integrity(
      'unknown-withdrawn-id',
      'a request withdrawn that was never opened',
      at(AT.finish, (payload) => void payload.withdrawn.push('5.0')),
      'request_id',
      AT.finish,
      ['request_id'],
    ),
    integrity(
      'open-requests-forged',
      'a close that lists a request as open',
      at(AT.close, (payload) => void payload.open_requests.push('3.0')),
      'close',
      AT.close,
      ['close'],
    ),
    integrity(
      'close-behind-requests',
      'a request opened by the decision before the close',
      closed(
        AT.finish,
        (payload) =>
          void payload.requests.push({
            id: `${AT.finish}.0`,
            kind: 'ballot',
            body: {},
            accepts: ['human'],
            attempts: 1,
          }),
      ),
      'close',
      AT.close,
      ['close'],
    ),
    integrity(
      'artifact-content-rechained',
      'the winner edited, its artifact_hash left',
      at(AT.result, (payload) => void (payload.content.winner = 'harbour')),
      'artifact_hash',
      AT.result,
      ['artifact_hash'],
    ),
    integrity(
      'close-count-forged',
      'a close that counts one record less',
      at(AT.close, (payload) => void (payload.record_count -= 1)),
      'close',
      AT.close,
      ['close'],
    ),
    integrity(
      'dag-root-forged',
      'a close with another DAG root',
      at(AT.close, (payload) => void (payload.dag_root_hash = hashOf('another graph'))),
      'close',
      AT.close,
      ['close'],
    ),
    integrity(
      'graph-cycle',
      'an edge that closes a cycle',
      closed(AT.voted, (payload) => draw(payload, 'depends_on', seedOf(drafts), payload.graph.nodes[0].id)),
      'graph',
      AT.voted,
      ['graph'],
    ),
    integrity(
      'graph-missing-end',
      'an edge to a node that does not exist',
      closed(AT.voted, (payload) =>
        draw(payload, 'depends_on', payload.graph.nodes[0].id, hashOf('no node')),
      ),
      'graph',
      AT.voted,
      ['graph'],
    ),
    integrity(
      'graph-wrong-node-id',
      'a node whose id does not follow from what it says',
      closed(AT.voted, (payload) => void (payload.graph.nodes[0] = another(payload.graph.nodes[0]))),
      'graph',
      AT.voted,
      ['graph'],
    ),
    integrity(
      'invalid-confidence',
      'a confidence of 2',
      at(AT.notice, (payload) => proposed({ ...payload, confidence: 2 })),
      'payload_shape',
      AT.notice,
      ['payload_shape'],
    ),
  ];
}

function draw(payload, kind, from_id, to_id) {
  payload.graph.edges.push({ id: edgeId(POLL.run_id, { kind, from_id, to_id }), kind, from_id, to_id });
}

/** The same node with its payload and payload hash changed, its id kept. */
function another(node) {
  const payload = { ...node.payload, option: 'harbour' };
  return { ...node, payload, payload_hash: hashOf(payload) };
}

function seedOf(drafts) {
  const { kind, payload_hash } = JSON.parse(drafts[AT.opening].text).graph.nodes[0];
  return nodeId(POLL.run_id, kind, payload_hash);
}
