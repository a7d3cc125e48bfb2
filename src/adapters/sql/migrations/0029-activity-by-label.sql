-- The overview of the console adds up thirty days by status and by code: from this index alone, without reading the rows.
create index document_activity_by_label on document_activity (measure, label, hour, documents);
