/**
 * Names each page of the reference after the entry a user imports (`kernel`, `testing/node`), not after its
 * source path.
 */
export function load(app) {
  app.converter.on('resolveBegin', (context) => {
    for (const module of context.project.children ?? []) {
      module.name = module.name.replace(/^packages\/([^/]+)\/src/, '$1').replace(/\/index$/, '');
    }
  });
}
