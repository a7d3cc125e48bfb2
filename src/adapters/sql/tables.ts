/** Every table that the migrations make. */
export const TABLES: readonly string[] = [
  ...['activity_progress', 'api_key', 'audit', 'audit_adoption', 'audit_seal', 'code_list', 'content', 'credential'],
  ...['delivery_hold', 'document_activity', 'document_change', 'former_environment', 'idempotency_record', 'inbound'],
  ...['inbound_problem', 'listing', 'listing_block', 'listing_count', 'listing_group_count', 'lost_registration'],
  ...['operator_account', 'operator_session', 'outbound', 'outbound_attempt', 'outbound_history', 'outbound_payload'],
  ...['outbound_void', 'outbound_warning', 'pace', 'partner_number', 'recurring_task', 'reference_refusal'],
  ...['schema_migration', 'service_process', 'store_copy', 'store_environment', 'stored_ahead', 'stray_registration'],
  ...['tenant', 'traffic', 'uncompared_tenant'],
];
