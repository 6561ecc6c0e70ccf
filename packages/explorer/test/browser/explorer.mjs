/** The browser lane: `npm run check:explorer`. One process, one browser. */
import { after } from 'node:test';
import { close } from './lib.mjs';
import './verdicts.mjs';
import './policy.mjs';
import './pages.mjs';
import './media.mjs';
import './view.mjs';

after(close);
