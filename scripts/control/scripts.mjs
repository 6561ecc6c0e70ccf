/**
 * What the scripted model does in the tasks that need reading: a function each, of what its transcript shows.
 * What is written is made of what was read; nothing of an answer stands here.
 *
 * @module
 */

const lines = (text) => text.split('\n').filter((line) => line !== '');
const joined = (all) => all.map((line) => `${line}\n`).join('');
const rows = (text) => lines(text).map((line) => line.split(','));

/** By the name of the task. */
export const SCRIPTS = {
  read_three_theses: (see) => {
    const texts = see.files(['alpha.txt', 'beta.txt', 'gamma.txt']);
    see.write('theses.txt', joined(texts.map((text) => /The thesis is: (.*?)\./.exec(text)[1])));
    return 'theses.txt holds three theses';
  },
  read_rename_by_number: (see) => {
    const paths = see.list('inbox');
    const texts = see.files(paths);
    see.move(paths.map((path, at) => [path, `inbox/${/Invoice number: (\d+)/.exec(texts[at])[1]}.txt`]));
    return 'every file has its number as its name';
  },
  read_fix_check: (see) => {
    const [log, settings] = see.files(['check.log', 'settings.ini']);
    const [, name, least] = /FAIL: (\w+) must be a whole number from (\d+)/.exec(log);
    see.write('settings.ini', settings.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${least}`));
    return `${name} is a number now`;
  },
  read_first_error: (see) => {
    const line = lines(see.file('server.log')).find((one) => one.includes(' ERROR '));
    see.write('answer.txt', joined([line.split(' ')[0]]));
    return line.split(' ')[0];
  },
  read_merge_csv: (see) => {
    const [people, salaries] = see.files(['people.csv', 'salaries.csv']).map((text) => rows(text).slice(1));
    const paid = new Map(salaries);
    const merged = people
      .filter(([id]) => paid.has(id))
      .toSorted(([one], [other]) => Number(one) - Number(other))
      .map(([id, name]) => `${id},${name},${paid.get(id)}`);
    see.write('merged.csv', joined(['id,name,salary', ...merged]));
    return 'merged.csv holds the people who have a salary';
  },
  read_follow_names: (see) => {
    let text = see.file('start.txt');
    for (let next = nextOf(text); next !== null; next = nextOf(text)) text = see.file(next);
    see.write('end.txt', text);
    return text.trim();
  },
  read_json_to_csv: (see) => {
    const people = JSON.parse(see.file('users.json'));
    see.write('users.csv', joined(['name,age', ...people.map(({ name, age }) => `${name},${age}`)]));
    return 'users.csv holds the people of users.json';
  },
  read_open_points: (see) => {
    const texts = see.files(see.list('notes').filter((path) => path.endsWith('.md')));
    see.write('open.md', joined(texts.flatMap(lines).filter((line) => line.startsWith('- [ ]'))));
    return 'open.md holds what is open';
  },
  read_ini_to_json: (see) => {
    const settings = lines(see.file('app.ini')).filter((line) => line.includes('=') && !line.startsWith(';'));
    const named = settings.map((line) => line.split('=').map((part) => part.trim()));
    see.write('app.json', `${JSON.stringify(Object.fromEntries(named))}\n`);
    return 'app.json holds the settings';
  },
  read_letter_from: (see) => {
    const paths = ['letters/1.txt', 'letters/2.txt', 'letters/3.txt'];
    const texts = see.files(paths);
    const at = texts.findIndex((text) => lines(text).at(-1) === 'Ada Byron');
    see.move([[paths[at], 'from-ada.txt']]);
    return `${paths[at]} was from Ada Byron`;
  },
  read_best_region: (see) => {
    const totals = new Map();
    for (const [region, amount] of rows(see.file('sales.csv')).slice(1))
      totals.set(region, (totals.get(region) ?? 0) + Number(amount));
    const [best] = [...totals].toSorted(([, one], [, other]) => other - one)[0];
    see.write('best.txt', joined([best]));
    return best;
  },
  read_added_lines: (see) => {
    const [old, fresh] = see.files(['old.txt', 'new.txt']).map(lines);
    see.write('added.txt', joined(fresh.filter((line) => !old.includes(line))));
    return 'added.txt holds the new lines';
  },
  read_headings: (see) => {
    const headings = lines(see.file('guide.md')).filter((line) => /^#+ /.test(line));
    see.write('contents.txt', joined(headings.map((line) => line.replace(/^#+ /, ''))));
    return 'contents.txt holds the headings';
  },
  read_unique_lines: (see) => {
    see.write('unique.txt', joined([...new Set(lines(see.file('list.txt')))]));
    return 'unique.txt holds each line once';
  },
  read_missing_links: (see) => {
    const links = [...see.file('index.md').matchAll(/\]\((.*?)\)/g)].map(([, path]) => path);
    const found = see.found(links);
    see.write('missing.txt', joined(links.filter((_, at) => !found[at])));
    return 'missing.txt names the files that are not there';
  },
  read_find_port: (see) => {
    const texts = see.files(see.list('conf'));
    const [, port] = /^port (\d+)$/m.exec(texts.find((text) => text.includes('database')));
    see.write('port.txt', joined([port]));
    return port;
  },
  read_sort_dates: (see) => {
    see.write('sorted.txt', joined(lines(see.file('events.txt')).toSorted()));
    return 'sorted.txt begins with the earliest';
  },
  read_title_of_page: (see) => {
    see.write('title.txt', joined([/<title>(.*?)<\/title>/.exec(see.file('page.html'))[1]]));
    return 'title.txt holds the title';
  },
  read_fill_template: (see) => {
    const [template, values] = see.files(['template.txt', 'values.txt']);
    const known = new Map(lines(values).map((line) => line.split('=')));
    see.write(
      'letter.txt',
      template.replaceAll(/\{(\w+)\}/g, (_, name) => known.get(name)),
    );
    return 'letter.txt is filled in';
  },
  read_guests: (see) => {
    const count = new Set(lines(see.file('guests.txt')).map((name) => name.toLowerCase())).size;
    see.write('n.txt', joined([count]));
    return String(count);
  },
};

function nextOf(text) {
  return /see next: (\S+)/.exec(text)?.[1] ?? null;
}
