import { OUTAGE_KINDS, type StageOutage } from '../../application/ports/simulator-outage.ts';
import { type Arguments, type Command, onePositional, UsageError } from '../command.ts';
import { readEnvironmentValue } from '../values.ts';

type Order = Parameters<StageOutage>[1];

export const simulatorOutage: Command = {
  name: 'simulator outage',
  summary: 'Starts or ends an outage of the simulated authority in the demo environment.',
  positionals: '<on|off|show>',
  options: {
    kind: { value: OUTAGE_KINDS.join('|'), help: `How every call fails. Default: ${OUTAGE_KINDS[0]}.` },
    installation: { value: 'test|production', help: 'Which installation of the authority. Default: test.' },
  },
  async run({ stageOutage }, given) {
    const installation = readEnvironmentValue(given.option('installation'), 'installation') ?? 'test';
    const { kind } = await stageOutage(installation, readOrder(given));
    const text = kind === null ? `${installation} works.` : `${installation} is out of order: ${kind}.`;
    return { text, json: { installation, on: kind !== null, kind } };
  },
};

function readOrder(given: Arguments): Order {
  const word = onePositional(given, 'on|off|show');
  const kind = given.option('kind');
  if (word !== 'on' && word !== 'off' && word !== 'show') throw new UsageError(`"${word}" must be on, off or show.`);
  if (word !== 'on') {
    if (kind !== null) throw new UsageError('--kind goes with on.');
    return word === 'off' ? 'none' : 'show';
  }
  const known = OUTAGE_KINDS.find((candidate) => candidate === (kind ?? OUTAGE_KINDS[0]));
  if (known === undefined) throw new UsageError(`--kind must be one of ${OUTAGE_KINDS.join(', ')}.`);
  return known;
}
