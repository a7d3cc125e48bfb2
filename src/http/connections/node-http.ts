/**
 * Whoever imports a value from `node:http` has Node read all that the module exports, and two of these load a whole WebSocket client: 50 ms of
 * processor time in every process. So values are taken from the module itself; types cost nothing.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
