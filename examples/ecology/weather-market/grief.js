// Never answers: every check of it burns what the reader may burn.
function check_permission(q) {
  for (;;) q.turns = (q.turns || 0) + 1;
}
