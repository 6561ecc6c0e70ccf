/**
 * How a scripted executor plays: it reads the transcript that it is shown, and asks for what is not yet
 * there. A script is a function of what was seen; it says one move a time, by what it lacks first.
 *
 * @module
 */

/** The move that a script makes on a transcript: calls of tools, each with its arguments as text. */
export function moveOf(script, transcript) {
  const calls = callsIn(transcript);
  const used = new Set();
  try {
    const output = script({ ...sightOf(calls, used), earlier: () => earlierIn(transcript) });
    return [
      { tool: 'done', input: JSON.stringify({ output, rests_on: [...used].toSorted((a, b) => a - b) }) },
    ];
  } catch (move) {
    if (!(move instanceof Move)) throw move;
    return move.calls.map(({ tool, input }) => ({ tool, input: JSON.stringify(input) }));
  }
}

/** What earlier groups handed on, each without the line of its intent. */
function earlierIn(transcript) {
  const body =
    /\n\nEARLIER RESULTS\n([^]*?)\n\n(?:UNTIL NOW|YOUR LAST ANSWERS WERE REFUSED|CALLS LEFT)\n/.exec(
      transcript,
    );
  return (body?.[1] ?? '').split('\n\n').map((one) => one.slice(one.indexOf('\n') + 1));
}

/** Every call that a transcript shows, in order. */
export function callsIn(transcript) {
  const body = /(?:^|\n\n)UNTIL NOW\n([^]*?)\n\n(?:YOUR LAST ANSWERS WERE REFUSED|CALLS LEFT)\n/.exec(
    transcript,
  );
  const heads = [
    ...(body?.[1] ?? '').matchAll(/(?<=^|\n\n)#(\d+) ([a-z_]+) (\{[^]*?\}) → ([^\n]*), \d+ bytes(?=\n|$)/g),
  ];
  return heads.map((head, index) => {
    const from = head.index + head[0].length;
    const to = heads[index + 1]?.index ?? body[1].length;
    return {
      n: Number(head[1]),
      tool: head[2],
      input: JSON.parse(head[3]),
      status: head[4].split(' ')[0],
      output: body[1].slice(from + 1, index + 1 < heads.length ? to - 2 : to),
    };
  });
}

class Move extends Error {
  constructor(calls) {
    super('a move');
    this.calls = calls;
  }
}

function sightOf(calls, used) {
  const made = (tool, input) =>
    calls.findLast((call) => call.tool === tool && keyOf(call.input) === keyOf(input)) ?? null;
  const shown = (wanted) => {
    const missing = wanted.filter(({ tool, input }) => made(tool, input) === null);
    if (missing.length > 0) throw new Move(missing);
    return wanted.map(({ tool, input }) => {
      const call = made(tool, input);
      used.add(call.n);
      return call;
    });
  };
  const files = (paths) =>
    shown(paths.map((path) => ({ tool: 'read_file', input: { path } }))).map(({ output }) => output);
  const search = (input) =>
    shown([{ tool: 'find_files', input }])[0]
      .output.split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).path);
  return {
    /** The texts of files; those that were not read yet are, all in one answer. */
    files,
    /** The text of one. */
    file: (path) => files([path])[0],
    /** How reading each of these files ended. */
    found: (paths) => paths.map((path) => shown([{ tool: 'read_file', input: { path } }])[0].status === 'ok'),
    /** The paths that a search finds. */
    search,
    /** The paths of the files in a folder. */
    list: (under) => search({ under }).toSorted(),
    write: (path, content) => void shown([{ tool: 'write_file', input: { path, content } }]),
    move: (pairs) => void shown(pairs.map(([from, to]) => ({ tool: 'move_file', input: { from, to } }))),
  };
}

function keyOf(input) {
  return JSON.stringify(Object.entries(input).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
