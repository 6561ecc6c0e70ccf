/**
 * View data: the types of what a machine shows of a run, and `viewable`. No terminal, no HTML.
 *
 * @packageDocumentation
 */
export type {
  Amount,
  Arrow,
  Axis,
  Block,
  Branch,
  Cell,
  Described,
  Fact,
  Knob,
  Limit,
  Line,
  Mark,
  NextMove,
  Page,
  Panel,
  Picture,
  Piece,
  Row,
  Span,
  StackRow,
  Stretch,
  Text,
  Tone,
  Tried,
  Turned,
  Unit,
  ViewFile,
} from './picture.js';
export type { Account, Compare, Compared, View } from './view.js';
export { viewable, watched, type Viewable, type Viewer } from './viewable.js';
