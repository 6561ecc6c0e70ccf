// Each racer writes one work for each auction and bids for its score. `bids` of its content: how much of what it expects.
const invoke = (service, method, args) => ({ op: 'invoke', id: `genesis_${service}_api`, method, args });

export function mind({ id, content, next_resolution: { at_us, number } }, draw) {
  const quality = 10 + draw(41);
  const work = `work-${id}-${number}`;
  return [
    invoke('store', 'create', { id: work, content: { quality } }),
    // A score of 1 mints 100 milli-scrip: the score that is expected is the quality.
    invoke('mint', 'bid', { artifact_id: work, amount: quality * content.bids }),
    { sleep: { until_us: at_us + 1_000_000 } },
  ];
}

// The quality is what is expected: the score is anything from 0 to twice as much.
export function score({ content }, draw) {
  return draw(2 * content.quality + 1);
}
