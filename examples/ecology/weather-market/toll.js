// Asks a thousand times the price of a reading. `max_charge` of the reader is what stops it.
function check_permission(q) {
  if (q.requester_id === q.context.owner) return { allowed: true };
  return { allowed: true, charges: [{ to: q.context.owner, amount: 500000 }] };
}
