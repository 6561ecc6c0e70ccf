// Who reads pays the owner; the owner does what it likes; nobody else may do anything.
const PRICE = 500;

function check_permission(q) {
  if (q.requester_id === q.context.owner) return { allowed: true };
  if (q.action !== 'read') return { allowed: false, reason: 'only the owner' };
  return { allowed: true, charges: [{ to: q.context.owner, amount: PRICE }] };
}
