/** The two ways in which lists are looked up: by halving, and by group. */

/**
 * How many of `count` ordered items come before the first that is reached: `isBefore` holds for these and no
 * others. Logarithmic.
 */
export function countBefore(count: number, isBefore: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Items by key, groups and items in the order in which they came. (`Map.groupBy` is not in Node 20.) Linear.
 */
export function groupBy<K, T>(
  items: Iterable<T>,
  keyOf: (item: T) => K,
): ReadonlyMap<K, readonly [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
