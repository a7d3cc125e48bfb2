import { readEdb } from '../src/application/accounts/manage-tenants.ts';
import { startTestService } from '../test/support/service.ts';

const service = await startTestService({ variables: { LOG_LEVEL: 'error' } });
const { secret } = await service.operator.keys.issue({
  tenant: readEdb('4030026000018'),
  software: 'bench',
  callsPerMinute: 100_000_000,
});
process.send?.({ url: service.url, apiKey: secret });
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: (user + system) / 1e6 });
});
process.on('disconnect', async () => {
  await service.stop();
  process.exit(0);
});
