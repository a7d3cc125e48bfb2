import { startSimulator } from '../../simulator/simulator.ts';
import { issueCertificate } from '../../simulator/state/issue-certificate.ts';
import { takeOrders } from '../processes/take-orders.ts';
import { BENCH_TENANTS, eujpIdOf } from './delivery-tenants.ts';

/** The authority without its pace, with a hundred more taxpayers, all signing with one certificate. */
const issued = issueCertificate({ commonName: 'Bench', validFrom: new Date() });
const { certificatePem } = issued;
const simulator = await startSimulator({
  host: '127.0.0.1',
  port: 0,
  companies: BENCH_TENANTS.map((taxNumber) => ({ taxNumber, users: [eujpIdOf(taxNumber)] })),
  certificates: BENCH_TENANTS.map((edb) => ({ eujpId: eujpIdOf(edb), edb, certificatePem })),
});
const { url: query, receiverUrl: receiver, portalUrl: portal } = simulator;
takeOrders(
  async () => undefined,
  () => simulator.close(),
);
process.send?.({ urls: { query, receiver, portal }, issued });
