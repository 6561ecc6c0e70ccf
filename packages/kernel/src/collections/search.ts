/** Looking for a text in a text in linear time: the runtime's own search is quadratic on hostile texts. */

/** True if `part` stands in `text`. O(text + part), by Knuth, Morris and Pratt. */
export function holdsText(text: string, part: string): boolean {
  const borders = findBorders(part);
  let matched = 0;
  for (let index = 0; index < text.length && matched < part.length; index += 1) {
    const code = text.charCodeAt(index);
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === code) matched += 1;
  }
  return matched === part.length;
}

/** Of each beginning of a text, how much of it is its end as well. */
function findBorders(part: string): Uint32Array {
  const borders = new Uint32Array(part.length);
  let border = 0;
  for (let index = 1; index < part.length; index += 1) {
    const code = part.charCodeAt(index);
    while (border > 0 && part.charCodeAt(border) !== code) border = borders[border - 1] ?? 0;
    if (part.charCodeAt(border) === code) border += 1;
    borders[index] = border;
  }
  return borders;
}
