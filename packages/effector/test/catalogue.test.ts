import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOk, orThrow } from '@assay/kernel';
import { openWorkspace, toolset, TOOL_NAMES } from '../src/index.ts';
import { TOOL_CHAIN } from '../src/catalogue.js';
import { makeWorld, type World } from './tools/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.remove());

const NEVER = ['mdfind', 'applescript', 'shortcuts', 'desktop', 'shell', 'search'];

describe('the chain of tools', () => {
  it('names the tools of the source in its order, each with what stands beside it here', () => {
    const source = [
      'mdfind',
      'glob',
      'read_file',
      'write_file',
      'applescript',
      'shortcuts',
      'shell',
      'search',
    ];
    const places = world.tools.catalogue.map(({ name }) => name);
    expect(
      source
        .map((name) => places.indexOf(name))
        .every((place, index, all) => place >= 0 && (index === 0 || place > (all[index - 1] ?? -1))),
    ).toBe(true);
    expect(world.tools.catalogue.map(({ priority }) => priority)).toEqual(
      [...TOOL_CHAIN.map(({ priority }) => priority)].sort((left, right) => left - right),
    );
    expect(
      world.tools.catalogue
        .filter(({ priority }) => priority === 1)
        .map(({ name, available }) => [name, available]),
    ).toEqual([
      ['mdfind', false],
      ['find_files', true],
    ]);
  });

  it('says why a tool is not there', () => {
    const why = new Map(world.tools.catalogue.map(({ name, why_not }) => [name, why_not]));
    expect(NEVER.map((name) => why.get(name))).toEqual([
      'macos_only',
      'macos_only',
      'macos_only',
      'no_desktop',
      'not_allowed',
      'no_network',
    ]);
    expect(TOOL_NAMES.map((name) => why.get(name))).toEqual(TOOL_NAMES.map(() => null));
  });

  it.each(NEVER)('refuses a call of %s, whatever the policy', async (tool) => {
    expect(await world.call(tool, 'x', { confirmed: true })).toMatchObject({
      status: 'denied',
      code: 'unavailable',
    });
  });
});

describe('a policy', () => {
  it('denies every tool it does not name', async () => {
    const tools = orThrow(await toolset(orThrow(await openWorkspace(world.root)), { allow: { tools: [] } }));
    for (const tool of TOOL_NAMES)
      expect(
        await tools.run({ tool, input: 'a' }, { confirmed: { loses: null, target: null } }),
      ).toMatchObject({
        status: 'denied',
        code: 'not_allowed',
      });
    expect(tools.catalogue.every(({ available }) => !available)).toBe(true);
  });

  it.each([
    [{ allow: { tools: ['glob', 'telnet'] } }, { code: 'unknown_tool', path: '/allow/tools/1' }],
    [{ allow: { tools: ['search'] } }, { code: 'unknown_tool', path: '/allow/tools/0' }],
    [{ allow: { tools: ['shell'] } }, { code: 'unknown_tool', path: '/allow/tools/0' }],
    [
      { allow: { tools: [] }, limits: { wallMs: 0 } },
      { code: 'bad_limit', path: '/limits/wallMs' },
    ],
    [
      { allow: { tools: [] }, limits: { outputBytes: 1.5 } },
      { code: 'bad_limit', path: '/limits/outputBytes' },
    ],
    [
      { allow: { tools: [] }, limits: { wishes: 3 } },
      { code: 'bad_limit', path: '/limits/wishes' },
    ],
  ])('is refused with code and path where it says what cannot be: %j', async (options, error) => {
    // What comes from a policy file is not typed; the types of the arguments would not let it through.
    const call: (workspace: unknown, options: unknown) => Promise<unknown> = toolset as never;
    const made = await call(orThrow(await openWorkspace(world.root)), options);
    expect(made).toEqual({ _tag: 'Left', left: error });
  });

  it('is a value: the same options give the same catalogue', async () => {
    const again = await makeWorld();
    expect(again.tools.catalogue).toEqual(world.tools.catalogue);
    expect(isOk(await openWorkspace(again.root))).toBe(true);
    again.remove();
  });
});
