/** What a view says of each record: kept as JSON text by pages, and read where a row is shown. */
import type { Text, Tone } from '@assay/kernel/view';

const PAGE_ROWS = 256;
const SAID_UNITS = 240;

/** A line of text about a record, and its tone. */
export type Line = { readonly text: Text; readonly tone: Tone };

/** Lines by position. Objects of so many records would take several times the space of their text. */
export class Told {
  private readonly pages: string[] = [];
  private open: (Line | null)[] = [];
  /** The page that was read last. */
  private read: { readonly page: number; readonly lines: readonly (Line | null)[] } | null = null;

  /** What is said of the next record; null where nothing is. */
  add(line: Line | null): void {
    this.open.push(line === null ? null : shorten(line));
    if (this.open.length === PAGE_ROWS) this.closePage();
  }

  /** Pages that another thread closed. */
  addPages(pages: readonly string[]): void {
    this.pages.push(...pages);
  }

  /** The pages closed since, which are given away; `isEnd`: the open one too. */
  takePages(isEnd: boolean): readonly string[] {
    if (isEnd && this.open.length > 0) this.closePage();
    return this.pages.splice(0);
  }

  /** The line at a position; null where there is none. */
  at(position: number): Line | null {
    const page = Math.floor(position / PAGE_ROWS);
    if (page === this.pages.length) return this.open[position % PAGE_ROWS] ?? null;
    if (this.read?.page !== page)
      this.read = { page, lines: JSON.parse(this.pages[page] ?? '[]') as readonly (Line | null)[] };
    return this.read.lines[position % PAGE_ROWS] ?? null;
  }

  private closePage(): void {
    this.pages.push(JSON.stringify(this.open));
    this.open = [];
  }
}

/** A piece of evidence, cut for a row. */
export function said(text: string): { readonly said: string } {
  return { said: text.slice(0, SAID_UNITS) };
}

function shorten({ text, tone }: Line): Line {
  return {
    text:
      typeof text === 'string'
        ? text
        : text.map((piece) => (typeof piece === 'string' ? piece : said(piece.said))),
    tone,
  };
}
