/**
 * Program code and markup given as a request: text without a sentence, in which the grammar would only find
 * words by chance.
 *
 * @module
 */

/** Units of a line that are looked at. */
const LINE_UNITS_MAX = 240;
/** A line of prose has this many words. */
const PROSE_WORDS_MIN = 3;

/** One line of prose in so many of code may be a text of the program. */
const PROSE_SHARE = 4;

/** How a line of code looks; one concept per pattern, none of which can backtrack over more than one line. */
const CODE: readonly RegExp[] = [
  // Declarations and statements of the C family, of scripts and of Rust and Go.
  /^(?:export |import |package |using |namespace |#include|#define|public |private |protected |static )[\w{*"'<@./ ,]+/,
  /^(?:const|let|var|val|auto|int|float|double|bool|char|String|void|final)\b[\w<>[\], ]* ?[=({;]/,
  /^(?:async )?(?:function|fn|func|def|sub)\b ?[\w.]*\s?[(<{]/,
  /^(?:abstract |data )?(?:class|interface|struct|enum|trait|impl|type) \w+[\w<>, ]*(?:[:({=]| extends | implements )/,
  /^(?:\} ?)?(?:else )?(?:if|for|while|switch|catch|elif|match) ?\(.*[{:;)]$/,
  /^(?:if|elif|for|while|with|except|match)\b.*[=<>!().[\]_].*:$/,
  /^(?:else|try|finally|do|except):$|^(?:\} ?)?(?:else|try|finally|do) ?\{$/,
  /^(?:return|throw|raise|yield|await|assert)\b.*[()[\]{}=;"'`_+*/.<>]/,
  /^(?:return|break|continue|pass|throw|raise)\b ?\w*;?$/,
  /^from [\w.]+ import |^import [\w.]+(?: as \w+)?;?$|^@\w+(?:\(.*\))?$/,
  // Assignments, calls, closing brackets.
  /^[\w.$[\]'"*&]+(?:: ?[\w<>[\]| ]+)? ?(?:[-+*/%|&?]|:)?= ?[^= ]/,
  /^[\w.$:]+(?:\.|::|->)?[\w.$!]*\(.*\)?(?:[;,{]|\) ?[;,{]?|=> ?\{)?$/,
  /^[{[].*[}\]][,;]?$/,
  /^[[\]{}(),;]+$|^\}.*[;,){]?$|[{;]$/,
  /=>|&&|\|\||::|!==?|===?|->|\+\+/,
  // Queries.
  /^(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|FROM|WHERE|GROUP BY|ORDER BY|HAVING)\b/,
  /^(?:VALUES|SET|AND|OR|ON|LIMIT|UNION|WITH|BEGIN|COMMIT|(?:(?:LEFT|RIGHT|INNER|OUTER|CROSS) )*JOIN)\b/,
  /^select\b.*\bfrom \w+.*(?:;|\bwhere\b|\blimit\b|\bjoin\b)/,
  /^(?:insert into|delete from|create table|alter table|drop table) \w+/,
  /^"?\w+"? (?:INT|INTEGER|BIGINT|SERIAL|TEXT|VARCHAR|CHAR|BOOLEAN|DATE|TIMESTAMP|NUMERIC|DECIMAL|REAL)\b/,
  // Shells.
  /^#!|^\$ \w|^(?:sudo|echo|printf|cd|mkdir|rm|cp|mv|grep|sed|awk|curl|wget|chmod) ?[-./\w"'$~]*(?: |$)/,
  /^(?:chown|tar|git|npm|npx|pip|docker|kubectl|apt|apt-get) ?[-./\w"'$~]*(?: |$)/,
  /^(?:source|exit|set -|unset|local|readonly|export) ?[-./\w"'$~]*(?: |$)/,
  /^(?:fi|done|esac|then|do)\b;?$|^(?:if|while|until) \[|^for \w+ in .*;? ?(?:do)?$|^case .* in$/,
  // Data and markup.
  /^["'][\w$@./ -]+["']\s*:\s*|^[\w$-]+\s*:\s*(?:["'[{\d-]|true|false|null)[^ ]*.*[,[{"'\]}\de]$/,
  /^["'].*["'],?$|^-?\d+(?:\.\d+)?,$/,
  /^<[!/?]?[a-zA-Z][^>]*>|^[^<]*<\/[a-zA-Z]+>$|^\/?>$/,
  /^[.#]?[\w-]+(?:[ ,>:.#][\w-]+)* ?\{|^[\w-]+: ?[^;]*;$/,
];
/**
 * Words that open what is certainly no order to a reader, though prose may: they count only where the line
 * also ends as code does.
 */
const SPOKEN =
  /^(?:set|export|import|source|exit|with|and|or|on|limit|begin|from|where|update|create|drop|then|do)\b/;
const COMMENT = /^(?:\/\/|\/\*|\*\/|<!--|--\s|#\s|#$|;;|dnl\b)/;

/**
 * True for a text that is program code, data or markup, where no line of prose says what is to be done with
 * it. What stands between fences is never prose. Linear.
 */
export function isCode(text: string): boolean {
  if (isTable(text)) return true;
  let [isFenced, isQuoted, isComment] = [false, false, false];
  let [code, prose, first, last] = [0, 0, '', ''];
  let [opening, kind]: ['code' | 'prose' | null, 'code' | 'prose' | null] = [null, null];
  for (const whole of text.split('\n')) {
    const line = whole.slice(0, LINE_UNITS_MAX).trim();
    if (line.startsWith('```') || line.startsWith('~~~')) {
      isFenced = !isFenced;
      code += 1;
      continue;
    }
    if (isFenced || line === '') continue;
    // A text in three quotes is a comment of Python.
    const quotes = line.split(line.includes("'''") ? "'''" : '"""').length - 1;
    if (quotes % 2 === 1) isQuoted = !isQuoted;
    if (line.startsWith('/*')) isComment = true;
    const isSilent = isQuoted || isComment || quotes > 0 || COMMENT.test(line);
    if (line.includes('*/')) isComment = false;
    if (isSilent) continue;
    const own = isCodeLine(line) ? 'code' : isProse(line, whole) ? 'prose' : null;
    if (own === 'code') code += 1;
    if (own === 'prose') prose += 1;
    opening ??= own;
    kind = own ?? kind;
    if (first === '') first = line;
    last = line;
  }
  if (code === 0) return false;
  // A page of markup may hold many sentences between its tags.
  if (/^<[!?a-zA-Z]/.test(first) && last.endsWith('>')) return true;
  // Who asks for something says so before the code or behind it; a stray sentence inside is a text of the
  // program.
  return opening !== 'prose' && kind !== 'prose' && prose * PROSE_SHARE <= code;
}

/**
 * True for rows of values: three lines or more, all with the same number of commas, semicolons or tabs and no
 * prose between them. A table in words is read.
 */
function isTable(text: string): boolean {
  const rows = text.split('\n').filter((line) => line.trim() !== '');
  if (rows.length < TABLE_ROWS_MIN) return false;
  return [',', ';', '\t'].some((mark) => {
    const width = (rows[0] ?? '').split(mark).length;
    const isRow = (cells: readonly string[]): boolean =>
      cells.length === width &&
      cells.every(
        (cell) => (mark === '\t' || !cell.startsWith(' ')) && plainWords(cell).length < PROSE_WORDS_MIN,
      );
    return width >= TABLE_CELLS_MIN && rows.every((row) => isRow(row.split(mark)));
  });
}

const TABLE_ROWS_MIN = 3;
const TABLE_CELLS_MIN = 3;

function isCodeLine(line: string): boolean {
  // `- at least 5 kg;`: an item of a list; a sentence in words ends with a point.
  if (/^(?:[-*•] |\d+[.)] )/.test(line)) return false;
  if (
    /^from [\w.]+ import |^(?:typedef|extern|unsigned|struct|union) .*[;{]$/.test(line) ||
    /^(?:import|export) (?:type )?[{*]|^import [\w$]+ from /.test(line)
  )
    return true;
  // `Import the data (CSV, 5 MB); export it too;`: words, and no sign that only code has.
  if (plainWords(line).length >= 5 && !/[={}<>$\\[\]|_]|\w\(|^["'@#]|^[A-Z]{3,} /.test(line)) return false;
  if (SPOKEN.test(line) && !/[;={}()"'$/\\]/.test(line)) return false;
  if (/[a-z][.!?]$/.test(line) && !/[={}<>]/.test(line)) return false;
  return CODE.some((pattern) => pattern.test(line));
}

/** Words in a row: few signs, and no indented rest of a statement. */
function isProse(line: string, whole: string): boolean {
  const words = plainWords(line);
  const isIndented = whole.startsWith('    ') || whole.startsWith('\t');
  return (
    words.length >= PROSE_WORDS_MIN &&
    words.length * 2 >= line.split(/\s+/).length &&
    !(isIndented && /[(){}=;]/.test(line))
  );
}

function plainWords(line: string): readonly string[] {
  return line.split(/\s+/).filter((word) => /^["'(]?[A-Za-z][A-Za-z'’-]*[.,:;!?)"']*$/.test(word));
}
