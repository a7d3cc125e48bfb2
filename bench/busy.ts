/** Keeps one core busy, in stretches as long as the validation of a large document. */
const STRETCH_MS = 300;
const PAUSE_MS = 50;

function stretch(): void {
  const end = performance.now() + STRETCH_MS;
  while (performance.now() < end);
  setTimeout(stretch, PAUSE_MS);
}

process.on('message', stretch);
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
