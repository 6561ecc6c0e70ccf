/**
 * Reading a source file for the tidy rules: syntax tree, comments, lines, and the names it declares.
 *
 * @module
 */
import { parse } from '@babel/parser';

const PLUGINS = ['typescript', ['estree', { classFeatures: true }], 'explicitResourceManagement'];
const NOT_CHILDREN = new Set([
  'loc',
  'extra',
  'tokens',
  'leadingComments',
  'innerComments',
  'trailingComments',
]);

/**
 * Parses TypeScript or JavaScript. Throws where the text does not parse: a rule cannot judge what it cannot
 * read.
 */
export function readSource(path, text) {
  const file = parse(text, {
    sourceType: 'module',
    sourceFilename: path,
    plugins: path.endsWith('.tsx') ? [...PLUGINS, 'jsx'] : PLUGINS,
    createImportExpressions: true,
  });
  const comments = file.comments.map(({ type, value, start }) => ({
    type: type === 'CommentLine' ? 'Line' : 'Block',
    value,
    start,
  }));
  return { path, text, program: file.program, comments, declared: declaredNames(file.program) };
}

/** Calls `visit(node, parent, key)` for every node, parents first. */
export function walk(node, visit, parent = null, key = '') {
  visit(node, parent, key);
  for (const [name, child] of Object.entries(node)) {
    if (NOT_CHILDREN.has(name)) continue;
    if (Array.isArray(child)) {
      for (const item of child) if (isNode(item)) walk(item, visit, node, name);
    } else if (isNode(child)) {
      walk(child, visit, node, name);
    }
  }
}

function isNode(value) {
  return value !== null && typeof value === 'object' && typeof value.type === 'string';
}

/** 1-based line of an offset. */
export function lineAt(text, offset) {
  let line = 1;
  for (let index = text.indexOf('\n'); index !== -1 && index < offset; index = text.indexOf('\n', index + 1))
    line += 1;
  return line;
}

/** The trailing comment of the line that holds an offset, or ''. */
export function trailingComment(source, offset) {
  const line = lineAt(source.text, offset);
  const found = source.comments.find(
    (comment) => comment.type === 'Line' && lineAt(source.text, comment.start) === line,
  );
  return found === undefined ? '' : found.value.trim();
}

/** True where an identifier stands for a value or type of that name, rather than naming a property. */
export function isReference(parent, key) {
  switch (parent?.type) {
    case 'MemberExpression':
      return key !== 'property' || parent.computed;
    case 'Property':
    case 'PropertyDefinition':
    case 'MethodDefinition':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
      return key !== 'key' || parent.computed || (parent.shorthand === true && key === 'value');
    case 'TSQualifiedName':
      return key !== 'right';
    case 'ImportSpecifier':
    case 'ExportSpecifier':
    case 'LabeledStatement':
    case 'TSEnumMember':
    case 'TSNamedTupleMember':
      return false;
    default:
      return true;
  }
}

/** Names the file itself declares, in any scope. An ambient `declare` claims a global and does not count. */
function declaredNames(program) {
  const names = new Set();
  walk(program, (node, parent) => {
    switch (node.type) {
      case 'VariableDeclaration':
        if (!node.declare) for (const { id } of node.declarations) addPattern(names, id);
        break;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        if (node.id && !node.declare) names.add(node.id.name);
        for (const parameter of node.params) addPattern(names, parameter);
        break;
      case 'ClassDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
        if (!node.declare) names.add(node.id.name);
        break;
      case 'TSTypeParameter':
        names.add(node.name.name ?? node.name);
        break;
      case 'CatchClause':
        if (node.param) addPattern(names, node.param);
        break;
      case 'ImportSpecifier':
      case 'ImportNamespaceSpecifier':
      case 'ImportDefaultSpecifier':
        names.add(node.local.name);
        break;
      default:
        if (parent === null) break;
    }
  });
  return names;
}

function addPattern(names, pattern) {
  walk(pattern, (node, parent, key) => {
    if (node.type === 'Identifier' && isReference(parent, key) && key !== 'typeName' && key !== 'right')
      names.add(node.name);
  });
}
