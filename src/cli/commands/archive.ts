import { type Command, onePositional, required, UsageError } from '../command.ts';
import { progressLines } from '../progress-lines.ts';
import { table } from '../table.ts';
import { readInstantValue } from '../values.ts';

export const archive: Command = {
  name: 'archive',
  summary: 'Writes documents that are over into a folder that can be verified without this program.',
  positionals: '',
  options: {
    before: {
      value: 'date',
      help: 'Documents created before it: accepted, rejected, failed, cancelled or acknowledged.',
    },
    to: { value: 'folder', help: 'Where the archive is, or shall be; what is in it already is not written again.' },
    delete: {
      value: null,
      help: 'Takes their files out of the database, once the archive was read again and is in order.',
    },
  },
  async run(operator, given, report) {
    const folder = required(given, 'to');
    const before = readInstantValue('before', required(given, 'before'));
    if (before === null) throw new UsageError('--before is missing.');
    const show = progressLines(report);
    const done = await operator.archive({
      folder,
      before,
      remove: given.option('delete') !== null,
      progress: ({ tenant, side, ...step }) =>
        show({ act: 'archiving', what: `${side} of ${tenant}`, ...step, unit: 'documents' }),
    });
    const text = [
      `${done.written} documents were written, ${done.known} were in the archive already.`,
      `${done.volumes.length} volumes were read again and are in order.`,
      `${done.takenOut} documents and ${done.filesRemoved} files of theirs were taken out of the database.`,
    ];
    return { text: text.join('\n'), json: done };
  },
};

export const archiveVerify: Command = {
  name: 'archive verify',
  summary: 'Compares every file of an archive with its manifest. Needs no database.',
  positionals: '<folder>',
  options: {},
  async keep({ verifyArchive }, given, report) {
    const show = progressLines(report);
    const { isInOrder, volumes } = await verifyArchive(onePositional(given, 'folder'), (done, total) =>
      show({ act: 'verifying', what: 'archive', done, total, unit: 'volumes' }),
    );
    const rows = volumes.map(({ volume, documents, files, bytes, faults }) => [
      volume,
      documents,
      files,
      bytes,
      faults.length === 0 ? 'in order' : faults.join(' '),
    ]);
    const verdict = isInOrder ? 'The archive is in order.' : 'The archive is NOT in order.';
    return {
      text: `${table(['VOLUME', 'DOCUMENTS', 'FILES', 'BYTES', 'RESULT'], rows)}\n\n${verdict}`,
      json: { isInOrder, volumes },
      isFailure: !isInOrder,
    };
  },
};
