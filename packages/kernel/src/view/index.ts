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
  NextMove,
  Page,
  Panel,
  Picture,
  Piece,
  Row,
  Text,
  Tone,
  Turned,
  Unit,
} from './picture.js';
export type { View } from './view.js';
export { viewable, type Viewable, type Viewer } from './viewable.js';
