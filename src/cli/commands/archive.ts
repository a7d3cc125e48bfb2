import { counted } from '../../domain/messages/message.ts';
import { type Arguments, type Command, onePositional, required, UsageError } from '../command.ts';
import { NEW_ARCHIVE_ACCEPTED, YOUNGER_ACCEPTED } from '../option-hints.ts';
import { progressLines } from '../progress-lines.ts';
import { table } from '../table.ts';
import { readTimeLimit } from '../values.ts';
import { damageTable } from './recovery/damage-table.ts';

export const archive: Command = {
  name: 'archive',
  summary: 'Writes completed documents into a folder that can be verified without this program.',
  positionals: '',
  options: {
    before: {
      value: 'date',
      help: 'Only documents created before this day in Skopje, or before this time: accepted, rejected, failed, cancelled or acknowledged.',
      isRequired: true,
    },
    to: {
      value: 'folder',
      help: 'The folder of the archive, ARCHIVE_DIR by default; documents that are in it already are not written again.',
    },
    delete: {
      value: null,
      help: 'Removes their files from the database, after the archive was read back and verified. They are served from ARCHIVE_DIR.',
    },
    younger: {
      value: 'risk',
      help: `Removes also files of documents that are younger than ten years: ${YOUNGER_ACCEPTED}.`,
    },
    'new-archive': {
      value: 'loss',
      help: `Begins a new archive in ARCHIVE_DIR although documents are in a former one: ${NEW_ARCHIVE_ACCEPTED}.`,
    },
  },
  async run(operator, given, report) {
    const before = readTimeLimit('before', required(given, 'before'), 'from');
    if (before === null) throw new UsageError('--before is missing.');
    const show = progressLines(report, operator.timers);
    const done = await operator.archive({
      folder: given.option('to'),
      before,
      remove: given.option('delete') !== null,
      younger: isAccepted(given, 'younger', YOUNGER_ACCEPTED),
      isNewArchive: isAccepted(given, 'new-archive', NEW_ARCHIVE_ACCEPTED),
      progress: ({ tenant, side, ...step }) =>
        show({ act: 'archiving', what: `${side} of ${tenant}`, ...step, unit: 'documents' }),
    });
    const { damage, filesLeft } = done;
    const isDamaged = damage.length > 0;
    const text = [
      ...(isDamaged ? [damageTable(damage), ''] : []),
      `${counted(done.written, 'document was', 'documents were')} written, ${counted(done.known, 'was', 'were')} in the archive already.`,
      `${counted(done.volumes.length, 'volume was read back and is', 'volumes were read back and are')} in order.`,
      `${counted(done.markedArchived, 'document was', 'documents were')} marked as archived, ${counted(done.filesRemoved, 'file was', 'files were')} removed from the database.`,
      ...(filesLeft === null ? [] : [filesLeft]),
      ...(isDamaged
        ? [
            `${counted(damage.length, 'document was', 'documents were')} left out, because stored bytes are DAMAGED or missing. Look at the disk, then at "dostava check".`,
          ]
        : []),
    ];
    return { text: text.join('\n'), json: done, isFailure: filesLeft !== null, isDamaged };
  },
};

function isAccepted(given: Arguments, name: string, accepted: string): boolean {
  const text = given.option(name);
  if (text !== null && text !== accepted) throw new UsageError(`--${name} must be ${accepted}.`);
  return text !== null;
}

export const archiveVerify: Command = {
  name: 'archive verify',
  summary:
    'Compares every file of an archive with its manifest. Needs no database, and so cannot know of the last volumes when they are lost: check does.',
  positionals: '<folder>',
  options: {},
  async runTool({ timers, verifyArchive }, given, report) {
    const show = progressLines(report, timers);
    const { isInOrder, volumes } = await verifyArchive(onePositional(given, 'folder'), (done, total) =>
      show({ act: 'verifying', what: 'archive', done, total, unit: 'volumes' }),
    );
    const rows = volumes.map(({ volume, documents, files, bytes, damage }) => [
      volume,
      documents,
      files,
      bytes,
      damage.length === 0 ? 'in order' : damage.join(' '),
    ]);
    const conclusion = isInOrder
      ? 'The archive is in order. Whether volumes are lost, check tells.'
      : 'The archive is NOT in order.';
    return {
      text: [table(['VOLUME', 'DOCUMENTS', 'FILES', 'BYTES', 'RESULT'], rows), conclusion],
      json: { isInOrder, volumes },
      isFailure: !isInOrder,
    };
  },
};
