/**
 * What a value holds, as text: any value, classes and tables included, so that a change of it shows.
 *
 * @module
 */

/**
 * Text of all that is reachable from a value. Equal texts before and after a call: the call changed nothing.
 */
export function fingerprint(value: unknown): string {
  const parts: string[] = [];
  write(value, parts, new Map());
  return parts.join('');
}

function write(value: unknown, parts: string[], seen: Map<object, number>): void {
  if (typeof value === 'function') {
    parts.push('function');
  } else if (typeof value !== 'object' || value === null) {
    parts.push(
      typeof value === 'string'
        ? `"${value.replaceAll('"', '""')}"`
        : Object.is(value, -0)
          ? '-0'
          : String(value),
    );
  } else {
    const known = seen.get(value);
    if (known !== undefined) {
      parts.push(`#${known}`);
      return;
    }
    seen.set(value, seen.size);
    writeObject(value, parts, seen);
  }
}

function writeObject(value: object, parts: string[], seen: Map<object, number>): void {
  parts.push(Array.isArray(value) ? '[' : '{');
  if (value instanceof Map) for (const entry of value) write(entry, parts, seen);
  else if (value instanceof Set) for (const item of value) write(item, parts, seen);
  else if (ArrayBuffer.isView(value))
    parts.push(new Uint8Array(value.buffer, value.byteOffset, value.byteLength).join(' '));
  for (const key of Reflect.ownKeys(value)) {
    const slot = Object.getOwnPropertyDescriptor(value, key);
    parts.push(String(key), ':');
    write(slot?.get === undefined ? slot?.value : 'a getter', parts, seen);
    parts.push(',');
  }
  parts.push(Array.isArray(value) ? ']' : '}');
}
