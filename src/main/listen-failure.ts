import { OperatorError } from '../application/errors/operator-error.ts';
import type { Config } from '../config.ts';

type Server = {
  readonly host: string;
  readonly port: number;
  readonly hostVariable: string;
  readonly portVariable: string;
};

/** As Node tells it: of a name that is looked up it has the name alone. */
type Failure = NodeJS.ErrnoException & {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
};

const SIMULATOR_HOST = '127.0.0.1';

/** Says which variable names an address or a port that the service cannot listen on, and why. Null for any other failure. */
export function listenFailure(error: unknown, config: Config): OperatorError | null {
  const failure = error as Failure;
  const servers = serversOf(config).filter(({ host, port }) =>
    failure.syscall === 'getaddrinfo' ? host === failure.hostname : isMeant(failure, port),
  );
  const server = servers.find(({ host }) => host === failure.address) ?? servers[0];
  return server === undefined ? null : new OperatorError('refused', textOf(failure, server));
}

function isMeant({ syscall, port = 0 }: Failure, wanted: number): boolean {
  return syscall === 'listen' && port === wanted;
}

/** Those that are opened last come first: of two that are to have one port it is the later one that fails. */
function serversOf(config: Config): readonly Server[] {
  const { environment, role, host, port, opsHost, opsPort, simulatorPort } = config;
  const simulators = [simulatorPort, simulatorPort + 1].map((one) => ({
    host: SIMULATOR_HOST,
    port: one,
    hostVariable: 'HOST',
    portVariable: 'SIMULATOR_PORT, which takes the next port too,',
  }));
  return [
    ...(role === 'worker' ? [] : [{ host, port, hostVariable: 'HOST', portVariable: 'PORT' }]),
    ...(environment === 'demo' ? simulators : []),
    { host: opsHost, port: opsPort, hostVariable: 'OPS_HOST', portVariable: 'OPS_PORT' },
  ];
}

function textOf({ code, message, address, hostname }: Failure, { port, hostVariable, portVariable }: Server): string {
  if (hostname !== undefined)
    return `${hostVariable}: ${hostname} is neither an address of this machine nor a name that is known (${code}). Give it without a port, brackets and quotation marks.`;
  switch (code) {
    case 'EADDRINUSE':
      return `${address}:${port} is in use by another program, or by this one for something else. Set ${portVariable} to a free port, or end that program.`;
    case 'EADDRNOTAVAIL':
      return `${hostVariable}: ${address} is no address of this machine.`;
    case 'EACCES':
      return `${address}:${port} is closed to this user: ports below 1024 need a right of their own. Set ${portVariable} to another one.`;
    default:
      return `${hostVariable}: ${message}.`;
  }
}
