/** What a database and its services are for. */
export type StoreEnvironment = 'demo' | 'production';
