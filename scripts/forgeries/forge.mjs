/**
 * A forger's tools. A draft is one record before it is chained: its envelope as values, its payload as
 * text, so that everything can be written, sound or not.
 *
 * @module
 */
import {
  canonicalize,
  compareRequestIds,
  decodeUtf8,
  encodeLine,
  logicalTime,
  orThrow,
  rootHash,
  sha256Hex,
  utf8Bytes,
} from '@assay/kernel';

/** Canonical text of a value. */
export function textOf(value) {
  return orThrow(decodeUtf8(orThrow(canonicalize(value))));
}

/** H of a value. */
export function hashOf(value) {
  return sha256Hex(textOf(value));
}

/** The drafts of honest records. */
export function draftsOf(records) {
  return records.map(({ v, ts, kind, payload, payload_hash }) => ({
    v: String(v),
    ts,
    kind,
    text: payload === undefined ? null : textOf(payload),
    payload_hash,
  }));
}

/**
 * The lines of drafts, every hash computed again. A draft's own `payload_hash` stands only where its
 * payload is erased (text null). `v` is text, so that it may be `true`; `extra` are members put at the end.
 */
export function chain(drafts) {
  let parent = null;
  return drafts.map(({ v = '1', ts, kind, text, payload_hash, extra = '' }) => {
    const payloadHash = text === null ? payload_hash : sha256Hex(text);
    const parentText = parent === null ? 'null' : `"${parent}"`;
    const recordHash = sha256Hex(
      `{"kind":${JSON.stringify(kind)},"parent":${parentText},"payload_hash":"${payloadHash}","ts":` +
        `${JSON.stringify(ts)},"v":${v}}`,
    );
    parent = recordHash;
    const payload = text === null ? '' : `"payload":${text},`;
    return (
      `{"kind":${JSON.stringify(kind)},"parent":${parentText},${payload}"payload_hash":` +
      `"${payloadHash}","record_hash":"${recordHash}","ts":${JSON.stringify(ts)},"v":${v}${extra}}`
    );
  });
}

/** The bytes of a ledger file, from lines. */
export function fileOf(lines) {
  return utf8Bytes(lines.map((line) => `${line}\n`).join(''));
}

/** Lines of honest records. */
export function linesOf(records) {
  return records.map(encodeLine);
}

/** Drafts with one payload changed: `change` gets a copy to change in place, or gives another value. */
export function changed(drafts, index, change) {
  return drafts.map((draft, at) => {
    if (at !== index) return draft;
    const payload = JSON.parse(draft.text);
    return { ...draft, text: textOf(change(payload) ?? payload) };
  });
}

/** Drafts numbered again, so that `ts` has no gap after records were put in or taken out. */
export function renumbered(drafts) {
  const base = drafts[0].ts.split('#')[0];
  return drafts.map((draft, index) => ({ ...draft, ts: logicalTime(base, index) }));
}

/** A proposal's payload with its hash computed again. */
export function proposed(payload) {
  const { source, confidence, value } = payload;
  return { ...payload, proposal_hash: hashOf({ source, confidence, value }) };
}

/** An artifact's payload with its hash computed again. */
export function made(name, content) {
  return { name, content, artifact_hash: hashOf(content) };
}

/**
 * Drafts whose close agrees with them again: artifact hashes, DAG root, count and open requests. The state
 * hash stays.
 */
export function reclosed(drafts) {
  const artifacts = {};
  const nodes = [];
  const edges = [];
  const open = new Set();
  let answering = null;
  for (const { kind, text } of drafts) {
    if (text === null) continue;
    const payload = JSON.parse(text);
    if (kind === 'proposal') answering = payload.request_id;
    if (kind === 'artifact') artifacts[payload.name] = payload.artifact_hash;
    if (kind !== 'decision') continue;
    open.delete(answering);
    for (const id of payload.withdrawn) open.delete(id);
    for (const { id } of payload.requests) open.add(id);
    nodes.push(...(payload.graph?.nodes ?? []).map(({ id }) => id));
    edges.push(...(payload.graph?.edges ?? []).map(({ id }) => id));
  }
  const close = drafts.findIndex(({ kind }) => kind === 'close');
  return changed(drafts, close, (payload) => ({
    ...payload,
    artifact_hashes: artifacts,
    dag_root_hash: rootHash(nodes.sort(), edges.sort()),
    open_requests: [...open].sort(compareRequestIds),
    record_count: close + 1,
  }));
}

/** Drafts with one payload erased: its hash stays, and still links. */
export function erased(drafts, index) {
  return drafts.map((draft, at) =>
    at === index ? { ...draft, payload_hash: sha256Hex(draft.text), text: null } : draft,
  );
}
