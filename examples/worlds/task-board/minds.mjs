// Customers post sums to be done and buy the right ones; workers look for tasks, do them and sell what they made.
const invoke = (service, method, args) => ({ op: 'invoke', id: `genesis_${service}_api`, method, args });

export function mind(view, draw) {
  return view.content.role === 'customer' ? customer(view, draw) : worker(view, draw);
}

const add = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

function customer({ id, balances, inventory, offers, responses }, draw) {
  const task = inventory.find((thing) => thing.id.startsWith('task-'))?.id;
  if (task === undefined) {
    const numbers = Array.from({ length: 3 + draw(4) }, () => draw(100));
    const content = { numbers, pay: 1_000 + draw(4_000) };
    return balances.scrip < 5_000
      ? { sleep: 60 }
      : [invoke('store', 'create', { id: `task-${id}-${draw(1_000_000)}`, content }), { sleep: 3 }];
  }
  const bought = inventory.find((thing) => thing.id.startsWith(`work-${task}`))?.id;
  if (bought !== undefined)
    return [
      invoke('store', 'delete', { artifact_id: task }),
      invoke('mint', 'bid', { artifact_id: bought, amount: 1_000 + draw(3_000) }),
    ];
  // What was read in the last turn: the task first, then the work on offer.
  const [asked, made] = responses.map(({ result }) => result);
  if (asked?.id === task && made?.id?.startsWith(`work-${task}`)) {
    const offer = offers.find(({ give }) => give.goods[0]?.id === made.id);
    if (offer !== undefined && made.content.answer === add(asked.content.numbers))
      return [invoke('escrow', 'buy', { offer_id: offer.id, seen: [made.version] })];
  }
  const works = offers.filter(({ give }) => give.goods[0]?.id.startsWith(`work-${task}`));
  if (works.length === 0) return { sleep: 2 };
  const { give } = works[draw(works.length)];
  return [
    { op: 'read', id: task },
    { op: 'read', id: give.goods[0].id },
  ];
}

function worker({ id, content, offers, responses }, draw) {
  const own = offers.find(({ maker }) => maker === id);
  if (own !== undefined)
    return draw(20) === 0 ? [invoke('escrow', 'cancel', { offer_id: own.id })] : { sleep: 2 };
  const [result] = responses.map((response) => response.result);
  if (result?.id?.startsWith('task-')) {
    const { numbers, pay } = result.content;
    const answer = add(numbers) + (draw(100) < content.errors ? 1 : 0);
    const work = `work-${result.id}-${id}`;
    return [
      invoke('store', 'create', { id: work, content: { numbers, answer } }),
      invoke('escrow', 'offer', {
        give: { goods: [work] },
        want: { amounts: [['scrip', pay]] },
        exit: { t: 'on_demand' },
      }),
    ];
  }
  const tasks = Array.isArray(result) ? result.filter((found) => found.id.startsWith('task-')) : [];
  if (tasks.length > 0) return [{ op: 'read', id: tasks[draw(tasks.length)].id }];
  return [
    invoke('store', 'search', { query: 'task', type_filter: 'data', limit: 100 }),
    { sleep: 1 + draw(4) },
  ];
}

// What a work is worth: much if it is right.
export function score({ content }, draw) {
  return content?.answer === add(content?.numbers ?? []) ? 60 + draw(40) : 5;
}
