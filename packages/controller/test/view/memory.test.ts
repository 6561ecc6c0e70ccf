import { memory } from '@assay/controller/memory';
import { memoryView } from '@assay/controller/memory-view';
import { viewable } from '@assay/kernel/view';
import { orThrow, type EvidenceRecord } from '@assay/kernel';
import { registerLaws, viewLaws } from '@assay/testing';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../kernel/tools/laws.ts';
import { memoryArbitraries, native } from '../memory/arbitraries.js';
import { listGoldens, readRecords } from '../../../kernel/tools/goldens.ts';

const options = { sha256: native };

registerLaws({ describe, it }, 'memory', viewLaws(memoryView, memory, memoryArbitraries(), options), {
  runs: draws(120),
});

describe('pictures of a memory', () => {
  it('golden memories: tags, decay, what became of them, who brought it, what is remembered', () => {
    for (const name of listGoldens('memory')) {
      const [genesis, ...rest] = readRecords(name) as unknown as [EvidenceRecord, ...EvidenceRecord[]];
      let viewer = orThrow(viewable(memoryView, memory, options).begin(genesis));
      for (const record of rest) viewer = orThrow(viewer.feed(record));
      const { panels } = viewer.show();
      expect(panels.map(({ id }) => id)).toEqual(['tags', 'decay', 'changes', 'answers', 'megrams']);
      const answers = panels.find(({ id }) => id === 'answers')?.block;
      expect(answers?.t === 'table' && answers.rows.length).toBe(
        rest.filter(({ kind }) => kind === 'proposal').length,
      );
    }
  });
});
