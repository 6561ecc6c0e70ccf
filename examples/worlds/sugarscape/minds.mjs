// Sugar grows on patches, some rich and some poor. Who sees farther finds the richer ones; all have to eat.
const transfer = (to, amount, from) => ({
  op: 'invoke',
  id: 'genesis_ledger_api',
  method: 'transfer',
  args: { to, amount, ...(from === undefined ? {} : { from }) },
});

const PATCHES = 6;
// What grows on a patch in a minute: 64 down to 2.
const richness = (patch) => 64 >> patch;

export const minds = { sun };

// Each patch is filled up again, as long as there is light.
function sun({ balances, content }) {
  const grown = Array.from({ length: PATCHES }, (_, patch) => transfer(`patch-${patch}`, richness(patch)));
  return balances.scrip < content.least ? { sleep: 600 } : [...grown, { sleep: 60 }];
}

// Looks at as many patches as it can see, harvests the best, and eats what it has to.
export function mind({ id, content: { vision, metabolism }, balances }, draw) {
  const seen = Array.from({ length: vision }, () => draw(PATCHES));
  const best = Math.min(...seen);
  const eaten = Math.min(metabolism, balances.scrip);
  const harvest = transfer(id, richness(best) / 2, `patch-${best}`);
  return [harvest, ...(eaten > 0 ? [transfer('sun', eaten)] : []), { sleep: 60 }];
}
