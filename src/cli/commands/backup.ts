import { type Command, required } from '../command.ts';
import { progressLines } from '../progress-lines.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Writes the embedded database into a file, while the service may run, and checks it.',
  positionals: '',
  options: { to: { value: 'file', help: 'A file that does not exist yet; its SHA-256 is written beside it.' } },
  async runTool({ timers, backUp }, given, report) {
    const done = await backUp(required(given, 'to'), progressLines(report, timers));
    const text = [
      `${done.file}: ${done.bytes} bytes, SHA-256 ${done.sha256}`,
      `${done.outbound} outbound and ${done.inbound} inbound documents, ${done.files} files, each verified by its SHA-256.`,
      "CREDENTIALS_KEY is not in it: keep it elsewhere. Without it the taxpayers' private keys cannot be used.",
    ];
    return { text: text.join('\n'), json: done };
  },
};

export const restore: Command = {
  name: 'restore',
  summary: 'Checks a backup and makes it the embedded database. The service must be stopped.',
  positionals: '',
  options: {
    from: { value: 'file', help: 'A file that "dostava backup" wrote.' },
    force: { value: null, help: 'Also when there is a database already, which is set aside.' },
  },
  async runTool({ timers, restore }, given, report) {
    const options = { force: given.option('force') !== null };
    const done = await restore(required(given, 'from'), options, progressLines(report, timers));
    const text = [
      `${done.database}: ${done.outbound} outbound and ${done.inbound} inbound documents, ${done.files} files, each verified by its SHA-256.`,
      done.hasChecksum ? 'The backup matches its checksum.' : 'There was no checksum beside the backup.',
      ...(done.setAside === null ? [] : [`The former database is now ${done.setAside}.`]),
      'CREDENTIALS_KEY is not in the backup: the service needs the one that was in use then.',
      'Nothing is sent until "dostava reconcile --since <time of the backup>" has compared it with the authority.',
    ];
    return { text: text.join('\n'), json: done };
  },
};
