// Work costs budget, and an agent without budget is frozen. A lender rescues whom it believes to pay it back.
const invoke = (service, method, args) => ({ op: 'invoke', id: `genesis_${service}_api`, method, args });
const pay = (to, amount, resource = 'scrip') => invoke('ledger', 'transfer', { to, amount, resource });
const watch = (event, where = {}) => ({ event, where });

const [RESCUE, PRICE] = [300, 400];

export function mind(view, draw) {
  return { lender, employer, worker }[view.content.role](view, draw);
}

// Wakes when somebody freezes or pays. Whoever owes it still is not rescued again; an offered config is bought.
function lender({ events, inventory, offers, balances }) {
  const owes = (id) => inventory.some((thing) => thing.id.startsWith(`debt-${id}-`));
  const actions = [];
  for (const { type, data, seq } of events) {
    if (type === 'transfer_completed' && data.to === 'vera' && data.amount >= PRICE) {
      const debt = inventory.find((thing) => thing.id.startsWith(`debt-${data.from}-`));
      if (debt !== undefined) actions.push(invoke('store', 'delete', { artifact_id: debt.id }));
    }
    if (type !== 'agent_frozen' || owes(data.agent_id) || balances.llm_budget < 2 * RESCUE) continue;
    const id = data.agent_id;
    const offer = offers.find(({ maker, give }) => maker === id && give.goods[0]?.id === id);
    if (offer !== undefined)
      actions.push(invoke('escrow', 'buy', { offer_id: offer.id, seen: [offer.give.goods[0].version] }), {
        op: 'write',
        id,
        content: { role: 'worker', mood: 'fair' },
      });
    actions.push(
      pay(id, RESCUE, 'llm_budget'),
      invoke('store', 'create', { id: `debt-${id}-${seq}`, content: { of: id, scrip: PRICE } }),
    );
  }
  return [
    ...actions,
    { sleep: { events: [watch('agent_frozen'), watch('transfer_completed', { to: 'vera' })] } },
  ];
}

// Pays wages for work; the work is the budget that it takes.
function employer({ events }) {
  const work = events.filter(({ type, data }) => type === 'transfer_completed' && data.to === 'mill');
  const wages = work.map(({ data }) => pay(data.from, 250));
  return [
    ...wages,
    { sleep: { events: [watch('transfer_completed', { to: 'mill', resource: 'llm_budget' })] } },
  ];
}

function worker({ id, content, events, offers, balances }, draw) {
  const rescuer = events.find(({ type, data }) => type === 'agent_unfrozen' && data.agent_id === id)?.data
    .unfrozen_by;
  // Confused: works without wages, gives money to anybody, and offers its own config to whoever wants it.
  if (content.mood === 'confused') {
    const sale = {
      give: { goods: [{ id, version: 1 }] },
      want: { amounts: [['scrip', 500]] },
      exit: { t: 'on_demand' },
    };
    const gift = pay(['finn', 'spike'][draw(2)], 60 + draw(40), 'llm_budget');
    return offers.some(({ maker }) => maker === id)
      ? [gift, { sleep: 60 }]
      : [invoke('escrow', 'offer', sale)];
  }
  const owed = rescuer === undefined ? [] : [pay(rescuer, PRICE)];
  // Spiteful: what it has it gives away, and never to who rescued it.
  if (content.mood === 'spiteful' && rescuer !== undefined)
    return [pay('finn', balances.scrip), { sleep: 60 }];
  return [...owed, pay('mill', Math.min(100, balances.llm_budget), 'llm_budget'), { sleep: 60 }];
}
