/** LangGraph runs the loop; the kernel decides what follows; the ledger is what a restart goes on from. */
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({ request: Annotation(), said: Annotation(), rejected: Annotation() });

/**
 * One node for each kind of request; `decide` is the only one that writes, and the only one that says where
 * to go.
 */
export function deskGraph(ledger, { next, approval, pay }) {
  const proposing =
    (perform) =>
    async ({ request, rejected }) => ({ said: await perform(request, rejected) });
  const decide = ({ request, said }) => {
    const rejected = (said ?? null) === null ? null : ledger.answer(request, said);
    return { rejected, said: null, request: ledger.request() ?? null };
  };
  return new StateGraph(State)
    .addNode('decide', decide)
    .addNode('next', proposing(next))
    .addNode('approval', proposing(approval))
    .addNode('pay', proposing(pay))
    .addEdge(START, 'decide')
    .addConditionalEdges('decide', ({ request }) => request?.kind ?? END, ['next', 'approval', 'pay', END])
    .addEdge('next', 'decide')
    .addEdge('approval', 'decide')
    .addEdge('pay', 'decide')
    .compile();
}
