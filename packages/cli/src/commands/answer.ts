/** `assay answer`: what a stored run asks a person, and the answer to it, the same for all machines. */
import { drive, Later, loadRun, maskedAddress, type Port } from '@assay/host';
import { eventsIn, patiently } from '@assay/host/shared-run';
import {
  canonicalize,
  err,
  ok,
  openRequests,
  type EvidenceRecord,
  type Json,
  type JsonObject,
  type Machine,
  type Request,
} from '@assay/kernel';
import { safeJson } from '@assay/views';
import type { Context } from '../call/output.js';
import { findInbox, type Leave } from '../files/fleet.js';
import { readText } from '../files/read.js';
import { storeProblem } from '../files/store.js';
import { findKit, type AnyKit } from '../kits/kits.js';
import { chooseMachine } from '../options/machines.js';
import { EXIT, misuse, orStop, worst, type ExitCode, badValue } from '../problems/problem.js';
import { driveProblem } from '../start/drive-machine.js';
import type { AskFlags, Asking, Rest } from '../start/kit.js';
import { failuresAmong, laterPort } from '../start/model-failures.js';
import { openKept, type OpenedRun } from '../start/places.js';
import { answersBy, recordsIn } from '../start/results.js';
import { resumeLine } from '../start/start.js';
import { describeFrom } from '../start/tell-ended.js';
import { runNamed, storedRun, type StartedRun } from '../start/stored-run.js';
import { cut, padded, show, styled, commandLine, jsonIn, textIn } from '../terminal/shown.js';

type Flags = AskFlags & {
  readonly machine: readonly string[];
  readonly by?: string;
  readonly engine?: string;
};

/** A run that is asked about. `given`: how it was named. `leave`: where a fleet drives the run. */
type AskedRun = {
  readonly leave: Leave | null;
  readonly given: string;
  readonly kept: OpenedRun;
  readonly begun: StartedRun;
  readonly kit: AnyKit | null;
  readonly flags: Flags;
};

/**
 * Prints the open requests of a run, or the one that is named, with what to type: exit 6. With an answer, JSON or
 * words that the machine's kit reads, records it as a person's, and whatever follows without anybody: exit 0, or 1
 * where the machine rejects it. An answer of the wrong shape is not recorded; one to a run of a fleet goes to the
 * worker that takes the run up. Raises `Stop`.
 */
export async function answer(
  context: Context,
  given: string,
  wanted: string | undefined,
  words: readonly string[],
  flags: Flags,
): Promise<ExitCode> {
  const { store } = flags;
  const { where, run_id } = await runNamed(store === undefined ? given : `${store}#${given}`);
  const shown =
    where.store === undefined ? given : maskedAddress(store === undefined ? given : `${store}#${given}`);
  const said = await readSaid(words.join(' ').trim());
  const leave = said === '' ? null : await findInbox({ ...flags, ...where }, run_id);
  const kept = await openKept(where, run_id, { mustExist: true });
  try {
    const begun = await storedRun(kept.store, run_id, kept.place);
    const kit = await findKit(begun.machine);
    const asked = { given: shown, kept, begun, kit, leave, flags: { ...flags, ...where } };
    const ended = await chooseMachine(flags.machine, { machine: begun.by }, (machine) =>
      answered(context, machine, asked, wanted, said),
    );
    if (ended !== null) return ended;
    // Its worker has the machine, and asks again where that rejects the answer.
    if (leave !== null && wanted !== undefined) {
      const value = valueIn(said, null, { kind: wanted, body: {} }, null);
      return tellLeft(context, { run_id, id: wanted, kind: null, value }, leave);
    }
    throw misuse(
      'other_machine',
      `this is a run of ${begun.machine}, which is not here`,
      run_id,
      'name its module: --machine FILE',
    );
  } finally {
    await kept.store.close();
  }
}

/** What was said: the words, or the text of the file that `@FILE` names. */
async function readSaid(said: string): Promise<string> {
  return said.startsWith('@') ? (await readText(said.slice(1))).trim() : said;
}

async function tellLeft(
  { output }: Context,
  {
    run_id,
    id,
    kind,
    value,
  }: { readonly run_id: string; readonly id: string; readonly kind: string | null; readonly value: Json },
  leave: Leave,
): Promise<ExitCode> {
  const told = await leave(id, value);
  output.document({ run_id, request: id, kind, left: value });
  output.line(show`${told}`);
  return EXIT.done;
}

async function answered<S, I, E extends Json, A extends Json>(
  context: Context,
  machine: Machine<S, I, E, A>,
  asked: AskedRun,
  wanted: string | undefined,
  said: string,
): Promise<ExitCode> {
  const { kept, begun, kit } = asked;
  const { run_id } = begun.identity;
  const { run } = orStop(await loadRun(machine, run_id, kept.store), (error) =>
    driveProblem(error, run_id, kept.place),
  );
  const leaves = kit?.leave === undefined ? null : Object.keys(kit.answers ?? {});
  const open = openRequests(run).filter(({ kind }) => leaves?.includes(kind) ?? true);
  const isOver = run.outcome !== null;
  const asks = kit?.answers ?? {};
  const named = ({ kind, body }: Request): string | undefined => asks[kind]?.named?.(body as JsonObject);
  const found =
    [
      open.filter(({ id }) => wanted === undefined || wanted === id),
      open.filter((each) => named(each) === wanted),
      open.filter(({ kind }) => kind === wanted),
    ].find(({ length }) => length > 0) ?? [];
  const [request] = found;
  if (request === undefined || isOver)
    throw misuse(
      'not_asked',
      isOver
        ? 'this run has ended and asks nothing'
        : sayAbsent(asks, wanted ?? '', machine.encode(run.state)),
      wanted ?? run_id,
      open.length === 0 || isOver
        ? 'see assay show'
        : `open: ${open.map((each) => named(each) ?? `${each.kind} ${each.id}`).join(', ')}`,
    );
  const asking = asks[request.kind] ?? null;
  if (said === '') {
    const own = found.filter(({ accepts }) => accepts.includes('human'));
    return await printAsked(context, asked, own.length === 0 ? found : own);
  }
  if (found.length > 1)
    throw badValue(
      'several requests of this kind are open',
      wanted ?? run_id,
      `name one: ${found.map(({ id }) => id).join(', ')}`,
    );
  if (!request.accepts.includes('human'))
    throw misuse(
      'not_asked',
      `no person may answer this, only ${request.accepts.join(', ')}`,
      `${request.kind} ${request.id}`,
      'go on with assay resume',
    );
  const read = (now: Request<A>, state: S): Json => {
    const encoded = machine.encode(state);
    const value = valueIn(said, asking, now, encoded);
    const parsed = machine.parse(value, now);
    if (parsed._tag === 'Left')
      throw badValue(
        `not an answer to ${now.kind}: ${parsed.left.code} ${safeJson(parsed.left.detail)}; nothing was recorded`,
        said,
        describeUsage(asking),
      );
    asking?.check?.(value, encoded);
    return value;
  };
  const value = read(request, run.state);
  const own = kit?.leave?.bind(kit);
  const leave: Leave | null =
    asked.leave ??
    (own === undefined
      ? null
      : () => own({ journal: kept.journal, run_id, by: asked.flags.by }, request, value));
  if (leave !== null) return tellLeft(context, { run_id, id: request.id, kind: request.kind, value }, leave);
  const rest = (await kit?.rest?.(context, asked.flags, kept.journal)) ?? { ports: () => null };
  const done = await context.interruption.during((signal) =>
    giveAnswer(machine, asked, { request, read, rest, signal }),
  );
  return printRecorded(context, asked, done);
}

/** Why nothing of this name is asked. */
function sayAbsent(asks: NonNullable<AnyKit['answers']>, wanted: string, state: Json): string {
  const said = Object.values(asks).flatMap(({ absent }) => absent?.(wanted, state) ?? []);
  return said[0] ?? 'no such request is open';
}

/** An answer that was recorded. `before`: records before it. `records`: those that this call added. `open`: what is. */
type RecordedAnswer = {
  readonly request: Request;
  readonly before: number;
  readonly records: readonly EvidenceRecord[];
  readonly open: readonly Request[];
};

/**
 * Records the answer once, and what follows from it without anybody else. An invitation that another process took
 * meanwhile is answered as it stands now. Raises `Stop`: `not_asked` where another answer came first.
 */
async function giveAnswer<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  { kept: { store, place }, begun: { identity }, flags: { by } }: AskedRun,
  {
    request,
    read,
    rest: { ports, live },
    signal,
  }: {
    readonly request: Request<A>;
    readonly read: (now: Request<A>, state: S) => Json;
    readonly rest: Rest;
    readonly signal: AbortSignal;
  },
): Promise<RecordedAnswer> {
  const { run_id } = identity;
  const isInvitation = request.attempts === 0;
  const told = await patiently(async () => {
    const { run } = orStop(await loadRun(machine, run_id, store), (error) =>
      driveProblem(error, run_id, place),
    );
    const now = openRequests(run).find(({ id, kind }) =>
      isInvitation ? kind === request.kind : id === request.id,
    );
    if (now === undefined || run.outcome !== null) return ok(null);
    let value: Json | undefined = read(now, run.state);
    const records: EvidenceRecord[] = [];
    const given: Port = {
      source: 'human',
      proposer: 'human',
      perform: () => {
        if (value === undefined) return Promise.reject(new Later());
        const once = { value, ...(by === undefined ? {} : { provenance: { by } }) };
        value = undefined;
        return Promise.resolve(once);
      },
    };
    const ended = await drive(machine, run_id, {
      ...live,
      store,
      signal,
      invitationAttempts: Infinity,
      ports: (one) => (one.id === now.id ? given : (ports(one) ?? laterPort(one))),
      onEvent: (event) => {
        if (event.type === 'append') records.push(...event.records);
      },
    });
    const isGiven = records.some((record) => answers(record, now.id));
    if (ended._tag === 'Left' && ended.left.code === 'store' && !isGiven) return err(ended.left.error);
    const open = ended._tag === 'Left' ? [] : openRequests(ended.right.run);
    return ok({ ended, isGiven, done: { request: now, before: run.count, records, open } });
  });
  const tried = orStop(told, (error) => storeProblem(error, place));
  if (tried !== null && (tried.isGiven || tried.ended._tag === 'Left')) {
    // Another process may continue the run once the answer is recorded.
    if (!(tried.isGiven && tried.ended._tag === 'Left' && tried.ended.left.code === 'store'))
      orStop(tried.ended, (error) => driveProblem(error, run_id, place));
    return tried.done;
  }
  throw misuse(
    'not_asked',
    `${request.kind} ${request.id} was answered meanwhile; this answer was not recorded`,
    run_id,
    'see assay show',
  );
}

function answers(record: EvidenceRecord, id: string): boolean {
  return record.kind === 'proposal' && (record.payload as JsonObject | undefined)?.['request_id'] === id;
}

/** An answer in the kit's words, or as JSON. Raises `Stop`: `bad_value`. */
function valueIn(
  said: string,
  asking: Asking | null,
  { kind, body }: Pick<Request, 'kind' | 'body'>,
  state: Json,
): Json {
  for (const { form, value } of asking?.words ?? []) {
    const read = form.exec(said);
    if (read !== null) return value(read.groups ?? {}, body as JsonObject, state);
  }
  const value = jsonIn(said);
  if ((value !== null || said === 'null') && canonicalize(value)._tag === 'Right') return value;
  throw badValue(`not an answer to ${kind}; nothing was recorded`, said, describeUsage(asking));
}

function describeUsage(asking: Asking | null): string {
  return [
    'type',
    ...(asking?.words ?? []).map(({ usage }) => `${usage};`),
    'JSON that the machine takes',
  ].join(' ');
}

const BODY_POINTS = 200;

/** What is asked, and of whom; of one alone the whole of it, and how to answer. */
async function printAsked(
  { output }: Context,
  { given, kept, begun, kit }: AskedRun,
  found: readonly Request[],
): Promise<ExitCode> {
  const [only] = found;
  const isAlone = found.length === 1;
  output.document({ run_id: begun.identity.run_id, open: found });
  for (const { id, kind, body, accepts } of found) {
    const says = kit?.answers?.[kind]?.asks(body as JsonObject) ?? '';
    const whom = accepts.includes('human') ? '' : ` (of ${accepts.join(', ')})`;
    output.line(
      show`${padded(show`${id}`, 8)} ${padded(styled('strong', show`${kind}`), 10)} ${
        says === '' && !isAlone ? cut(safeJson(body), BODY_POINTS) : says
      }${whom}`,
    );
    if (!isAlone) continue;
    const shows = kit?.answers?.[kind]?.shows;
    const shown =
      shows === undefined
        ? body
        : shows(body as JsonObject, await recordsIn(kept.store, begun.identity.run_id, kept.place));
    for (const line of safeJson(shown, 2).split('\n')) output.line(show`         ${line}`);
  }
  if (only === undefined) return EXIT.waiting;
  const usages = [...(kit?.answers?.[only.kind]?.words ?? []).map(({ usage }) => usage), 'or JSON'];
  if (isAlone)
    for (const [index, usage] of usages.entries())
      output.line(show`${index === 0 ? 'answer' : '      '}   ${usage}`);
  const name = kit?.answers?.[only.kind]?.named?.(only.body as JsonObject) ?? only.kind;
  const words = commandLine(['assay', 'answer', given, isAlone ? name : 'REQUEST']);
  output.line(show`next     ${words}${isAlone ? ' ANSWER' : ''}`);
  return EXIT.waiting;
}

/** What the answer came to, in the words of the machine's view. Raises `Stop`. */
async function printRecorded(
  { output }: Context,
  { given, kept, begun, kit, flags }: AskedRun,
  { request: { id, kind }, before, records, open }: RecordedAnswer,
): Promise<ExitCode> {
  const { run_id } = begun.identity;
  const whole = await recordsIn(kept.store, run_id, kept.place);
  const at = records.findLastIndex((record) => answers(record, id));
  const refused = records[at + 1]?.kind === 'rejection' ? (records[at + 1]?.payload as JsonObject) : null;
  const events = (eventsIn(records) as readonly { readonly t?: string }[]).filter(({ t }) => t !== 'invited');
  const head = { run_id, count: whole.length, hash: whole.at(-1)?.record_hash ?? '' };
  output.document({ run_id, request: id, kind, head, rejection: refused, events });
  if (refused !== null)
    output.data(show`rejected: ${textIn(refused, 'code')} ${safeJson(refused['detail'] ?? null)}`);
  else for (const line of await describeFrom(flags.machine, begun, whole, before)) output.line(line);
  const isOver = whole.at(-1)?.kind === 'close';
  const people = (isOver ? [] : open).flatMap(({ kind: of, body }) => {
    const words = kit?.answers?.[of]?.line?.(body as JsonObject);
    return words === undefined ? [] : [commandLine(['assay', 'answer', given, ...words])];
  });
  const line =
    people.length > 0 || kit?.again === undefined
      ? null
      : resumeLine(run_id, {
          ...flags,
          ...(kit.worksIn?.(begun) === true ? { workspace: 'DIR' } : {}),
          ...(begun.policy['library'] === true ? { library: 'URL' } : {}),
        });
  for (const [index, next] of [...people, ...(line === null ? [] : [line])].entries())
    output.line(show`${index === 0 ? 'next' : '    '}     ${next}`);
  const problems = failuresAmong(
    answersBy(
      [...whole.slice(0, before).filter((one) => one.kind === 'decision'), ...records],
      (one) => one.kind,
    ),
    null,
  );
  for (const problem of problems) output.complaint(problem);
  return worst([refused === null ? EXIT.done : EXIT.no, ...problems.map(({ exit }) => exit)]);
}
