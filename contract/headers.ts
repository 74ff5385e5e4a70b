/** Names the versions that were reviewed before a write (server/http/reviewed.ts). */
export const REVIEWED_HEADER = 'fieldwork-reviewed'
/** Names the records that a write would change: requested of a dry run with `?`, and sent back with the write. */
export const FORESEEN_HEADER = 'fieldwork-foreseen'
/** Names the versions that a write of the workspace has raised: `project/12=3-4`. */
export const RAISED_HEADER = 'fieldwork-raised'
/** Confirms a dry run in its response. */
export const DRY_HEADER = 'fieldwork-dry'
/** Names what a read's query has and its call doesn't know, in the response. */
export const IGNORED_HEADER = 'fieldwork-ignored'
