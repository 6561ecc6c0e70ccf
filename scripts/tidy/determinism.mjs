/**
 * The determinism rules of the pure packages. Each message names the replacement.
 *
 * Not decidable from syntax, so left to review and to the laws: floats compared in a decision, and
 * objects indexed by text from evidence where the object was made elsewhere.
 *
 * @module
 */
import { isReference, lineAt, trailingComment, walk } from './syntax.mjs';

const RECORDED_TIME = "take time as a recorded answer (at_us) or as the record's logical time";
const NO_TIMER = 'ask for it: open a request, the host waits and answers';
const NO_HOST = 'it belongs to the host: take the value as a recorded answer or an option';

/** Global names that are refused, with what to use. */
const GLOBALS = {
  Date: RECORDED_TIME,
  performance: RECORDED_TIME,
  setTimeout: NO_TIMER,
  setInterval: NO_TIMER,
  setImmediate: NO_TIMER,
  queueMicrotask: NO_TIMER,
  requestAnimationFrame: NO_TIMER,
  Promise: 'be synchronous: return the effect as a request, or the value as a Result',
  crypto: 'use the injected digest; derive ids with context.hash',
  Intl: 'order text with compareText; format in a shell',
  process: NO_HOST,
  console: NO_HOST,
  fetch: NO_HOST,
  navigator: NO_HOST,
  window: NO_HOST,
  document: NO_HOST,
  localStorage: NO_HOST,
  require: NO_HOST,
  Buffer: 'use Uint8Array with utf8Bytes and decodeUtf8',
  URL: 'treat it as opaque text; parse it in a shell',
  structuredClone: 'use admit, which gives an owned frozen copy',
  globalThis: "name what you need; of the runtime's own only TextEncoder and TextDecoder are used",
  eval: 'write the code; replay must work where eval is forbidden',
  Function: 'write the function; replay must work where eval is forbidden',
  WeakRef: 'hold the value; garbage collection is not deterministic',
  FinalizationRegistry: 'hold the value; garbage collection is not deterministic',
  SharedArrayBuffer: 'use Uint8Array; shared memory is not deterministic',
  Atomics: 'use Uint8Array; shared memory is not deterministic',
};

/** Functions of Math that every engine must compute exactly. */
const EXACT_MATH = ['abs', 'ceil', 'clz32', 'floor', 'imul', 'max', 'min', 'round', 'sign', 'sqrt', 'trunc'];

/** Methods that are refused on any object, with what to use. */
const METHODS = {
  localeCompare: 'use compareText (UTF-16 code units)',
  normalize: 'leave the text as it is; nothing is normalized',
  toLocaleString: 'format in a shell',
  toLocaleDateString: 'format in a shell',
  toLocaleTimeString: 'format in a shell',
  toLocaleUpperCase: 'map the ASCII letters by code',
  toLocaleLowerCase: 'map the ASCII letters by code',
  toUpperCase:
    'map the ASCII letters by code (case tables differ between engine versions), or mark ' +
    'text checked to be ASCII with `// ascii`',
  toLowerCase:
    'map the ASCII letters by code (case tables differ between engine versions), or mark ' +
    'text checked to be ASCII with `// ascii`',
};

/** The one file whose business is to write JSON text. */
const ENCODER = 'packages/kernel/src/canonical/encode.ts';

/** Faults of one pure source file: [{ path, line, rule, message }]. */
export function determinismFaults(source) {
  const faults = [];
  const report = (node, rule, message) =>
    faults.push({ path: source.path, line: lineAt(source.text, node.start), rule, message });
  const locals = variablesOf(source.program);
  const thrown = thrownRanges(source.program);
  walk(source.program, (node, parent, key) => {
    checkGlobal(source, node, parent, key, report);
    checkMember(source, node, parent, thrown, report);
    checkSyntax(source, node, locals, report);
  });
  for (const statement of source.program.body) checkModuleState(statement, report);
  return faults;
}

function checkGlobal(source, node, parent, key, report) {
  if (node.type !== 'Identifier' || !Object.hasOwn(GLOBALS, node.name) || !isReference(parent, key)) return;
  if (source.declared.has(node.name)) return;
  report(node, `no-${node.name}`, `${node.name}: ${GLOBALS[node.name]}`);
}

function checkMember(source, node, parent, thrown, report) {
  if (node.type !== 'MemberExpression') return;
  const name = node.computed
    ? node.property.type === 'Literal'
      ? String(node.property.value)
      : null
    : node.property.name;
  if (name === null) return;
  const owner = node.object.type === 'Identifier' ? node.object.name : null;
  if (owner === 'Math' && name === 'random')
    report(node, 'no-random', 'Math.random: derive ids from evidence with context.hash');
  else if (owner === 'Math' && name === name.toLowerCase() && !EXACT_MATH.includes(name)) {
    report(
      node,
      'no-inexact-math',
      `Math.${name}: engines may differ in the last bit; compute with integers and state the rounding`,
    );
  }
  if (owner === 'JSON' && name === 'stringify' && !maySerialize(source, node, thrown)) {
    report(
      node,
      'no-stringify',
      'JSON.stringify: use canonicalize or hashCanonical (for display in the verifier, mark the line `// display`)',
    );
  }
  if (
    Object.hasOwn(METHODS, name) &&
    !(/^to(?:Upper|Lower)Case$/.test(name) && trailingComment(source, node.end).startsWith('ascii'))
  ) {
    report(node, `no-${name}`, `${name}: ${METHODS[name]}`);
  }
  if (name === 'stack' && parent?.type !== 'AssignmentExpression')
    report(node, 'no-stack', 'stack: its text differs between engines; give the error a code');
  if (
    (name === 'sort' || name === 'toSorted') &&
    parent?.type === 'CallExpression' &&
    parent.callee === node &&
    parent.arguments.length === 0
  ) {
    report(
      node,
      'no-default-sort',
      `${name}() without an order: pass compareText or a comparison of integers`,
    );
  }
}

/** The text of a defect is never recorded, so a thrown message may quote a value. */
function maySerialize(source, node, thrown) {
  if (source.path === ENCODER || thrown.some(({ start, end }) => start <= node.start && node.end <= end))
    return true;
  return (
    /^packages\/(?:verifier|views)\/src\//.test(source.path) &&
    trailingComment(source, node.end) === 'display'
  );
}

function thrownRanges(program) {
  const ranges = [];
  walk(program, (node) => {
    if (node.type === 'ThrowStatement') ranges.push({ start: node.start, end: node.end });
  });
  return ranges;
}

function checkSyntax(source, node, locals, report) {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      if (node.async) report(node, 'no-async', 'async: be synchronous; return the effect as a request');
      break;
    case 'AwaitExpression':
      report(node, 'no-async', 'await: be synchronous; return the effect as a request');
      break;
    case 'ForOfStatement':
      if (node.await)
        report(node, 'no-async', 'for await: be synchronous; take records one by one (a follower)');
      break;
    case 'ForInStatement':
      if (trailingComment(source, node.start) !== 'any order')
        report(
          node,
          'no-for-in',
          'for…in: iterate Object.keys in canonical order (sort by compareText), or mark a loop ' +
            'whose result does not depend on it `// any order`',
        );
      break;
    case 'ImportExpression':
      report(node, 'no-dynamic-import', 'import(): import at the top of the module');
      break;
    case 'BinaryExpression':
    case 'AssignmentExpression':
      if (node.operator === '**' || node.operator === '**=')
        report(
          node,
          'no-inexact-math',
          `${node.operator}: engines may differ in the last bit; multiply integers or write the constant`,
        );
      if (node.type === 'AssignmentExpression') checkIndexed(node, locals, report);
      break;
    case 'Literal':
      if (typeof node.value === 'number' && !Number.isInteger(node.value))
        report(
          node,
          'no-fraction',
          `${node.raw}: numbers that decide are integers (parts per million, micro-units)`,
        );
      if (
        node.regex !== undefined &&
        node.regex !== null &&
        (/\\[pP]\{/.test(node.regex.pattern) || (/i/.test(node.regex.flags) && /[uv]/.test(node.regex.flags)))
      ) {
        report(
          node,
          'no-unicode-class',
          `/${node.regex.pattern}/${node.regex.flags}: Unicode tables differ between engine ` +
            'versions; list the ASCII characters',
        );
      }
      break;
    case 'PropertyDefinition':
      if (node.static && !node.readonly && !node.declare)
        report(
          node,
          'no-module-state',
          'static field: make it readonly and constant, or pass the state as an argument',
        );
      break;
    default:
  }
}

/**
 * Every variable: its name, whether it starts as an object literal (a plain object), and the function it
 * lives in.
 */
function variablesOf(program) {
  const functions = [program];
  const found = [];
  walk(program, (node) => {
    if (/Function/.test(node.type) && node.body) functions.push(node);
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier')
      found.push({ name: node.id.name, at: node.start, isObject: node.init?.type === 'ObjectExpression' });
  });
  return found.map((variable) => ({ ...variable, scope: innermost(functions, variable.at) }));
}

function innermost(ranges, offset) {
  return ranges
    .filter(({ start, end }) => start <= offset && offset < end)
    .reduce((inner, range) => (range.end - range.start < inner.end - inner.start ? range : inner));
}

function checkIndexed(node, locals, report) {
  const target = node.left;
  if (
    target.type !== 'MemberExpression' ||
    !target.computed ||
    target.property.type === 'Literal' ||
    target.object.type !== 'Identifier'
  )
    return;
  const visible = locals.filter(
    ({ name, scope }) => name === target.object.name && scope.start <= node.start && node.end <= scope.end,
  );
  if (visible.length === 0) return;
  const variable = visible.reduce((inner, one) =>
    one.scope.end - one.scope.start < inner.scope.end - inner.scope.start ? one : inner,
  );
  if (variable.isObject)
    report(
      node,
      'no-indexed-object',
      `${target.object.name}[…] = …: keys from evidence never index a plain object; use a Map, ` +
        'the persistent map, or define()',
    );
}

function checkModuleState(statement, report) {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declaration?.type !== 'VariableDeclaration' || declaration.declare) return;
  if (declaration.kind !== 'const')
    report(
      declaration,
      'no-module-state',
      `${declaration.kind} at module level: use const, or pass the state as an argument`,
    );
  for (const { id, init } of declaration.declarations) {
    if (init !== null && isContainer(init) && !isReadonlyType(id.typeAnnotation?.typeAnnotation)) {
      report(
        init,
        'no-module-state',
        `${id.name}: a mutable container at module level; annotate it as ReadonlyMap, ` +
          'ReadonlySet or readonly, or pass it as an argument',
      );
    }
  }
}

function isContainer(init) {
  if (init.type === 'ArrayExpression') return init.elements.length === 0;
  if (init.type === 'ObjectExpression') return init.properties.length === 0;
  return (
    init.type === 'NewExpression' &&
    init.callee.type === 'Identifier' &&
    ['Map', 'Set', 'WeakMap', 'WeakSet', 'Array'].includes(init.callee.name)
  );
}

function isReadonlyType(type) {
  if (type === undefined || type === null) return false;
  if (type.type === 'TSTypeOperator') return type.operator === 'readonly';
  return (
    type.type === 'TSTypeReference' &&
    type.typeName.type === 'Identifier' &&
    type.typeName.name.startsWith('Readonly')
  );
}
