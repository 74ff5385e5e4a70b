/*
 * TABLE  the codes by which programs decide what to do about an error, listed at /api-docs#codes.
 * A released code is never renamed; a new one is added here, or the server doesn't compile.
 */

/** What a program does with the request after an error. */
export const REPEATS = {
  no: 'Don’t send it again: the answer stays the same.',
  changed: 'Send it again after changing what the sentence names.',
  reread: 'Read the record, decide, and send it again.',
  later: 'Send the same request again after Retry-After, or after a few seconds.',
  check: 'Check whether it was saved first, or send it again with the same Idempotency-Key.',
} as const

export interface ErrorCodeRow {
  /** The statuses that it comes with. */
  statuses: readonly number[]
  /** What happened. */
  about: string
  /** What to do. */
  remedy: string
  repeat: keyof typeof REPEATS
}

export const ERROR_CODES = {
  // The request itself
  bad_request: {
    statuses: [400, 408, 431],
    about: 'It is not valid HTTP, arrived too slowly, or its headers are too long.',
    remedy: 'Correct the client that sends it.',
    repeat: 'changed',
  },
  bad_json: {
    statuses: [400],
    about: 'The body is not valid JSON.',
    remedy: 'Send JSON in UTF-8, or the content type of what you send.',
    repeat: 'changed',
  },
  bad_form: { statuses: [400], about: 'A form ended too early.', remedy: 'Send the whole form again.', repeat: 'later' },
  bad_message: {
    statuses: [400],
    about: 'An assistant’s message is not one JSON-RPC message.',
    remedy: 'Send one message at a time.',
    repeat: 'changed',
  },
  bad_url: { statuses: [400], about: 'The address can’t be read.', remedy: 'Encode it in UTF-8.', repeat: 'changed' },
  aborted: {
    statuses: [400],
    about: 'The upload was interrupted.',
    remedy: 'Send the whole batch again: nothing counts twice.',
    repeat: 'later',
  },
  too_long: { statuses: [414], about: 'The address is too long.', remedy: 'Send fewer values at a time.', repeat: 'changed' },
  too_large: { statuses: [413], about: 'The body is too large.', remedy: 'Send it in several parts.', repeat: 'changed' },
  media_type: {
    statuses: [415],
    about: 'The body’s content type is not accepted here.',
    remedy: 'Send one of the types that the call lists.',
    repeat: 'changed',
  },
  content_encoding: {
    statuses: [415],
    about: 'The body’s compression is not accepted here.',
    remedy: 'Send it with gzip where the call takes a batch, else without.',
    repeat: 'changed',
  },
  no_such_part: {
    statuses: [416],
    about: 'The file has no such range.',
    remedy: 'Ask for a range within its size.',
    repeat: 'changed',
  },
  // The address
  unknown_call: { statuses: [404], about: 'There is no such call.', remedy: 'Compare it with /openapi.json.', repeat: 'no' },
  method: {
    statuses: [405],
    about: 'The address doesn’t take this method.',
    remedy: 'Use one of those in the header Allow.',
    repeat: 'no',
  },
  not_found: {
    statuses: [404],
    about: 'The record doesn’t exist, is deleted, or the caller can’t see it.',
    remedy: 'Read the list again.',
    repeat: 'no',
  },
  // The input
  invalid: {
    statuses: [422],
    about: 'A field is missing, wrong or unknown.',
    remedy: 'Each is named in fields, with its code in field_codes.',
    repeat: 'changed',
  },
  all_refused: {
    statuses: [422],
    about: 'Every row of the batch was refused.',
    remedy: 'Each is in data.errors with its row, field and code.',
    repeat: 'changed',
  },
  taken: {
    statuses: [409, 422],
    about: 'Somebody else has this value, which only one may have.',
    remedy: 'Choose another one.',
    repeat: 'changed',
  },
  sum: {
    statuses: [422],
    about: 'The targets of a dimension don’t add up to the plan’s total.',
    remedy: 'sums has both: correct the targets, or send shares.',
    repeat: 'changed',
  },
  overlap: {
    statuses: [422],
    about: 'A person could be in two cells of one dimension.',
    remedy: 'Give each code to one cell.',
    repeat: 'changed',
  },
  unreachable: {
    statuses: [422],
    about: 'Nobody of the audience could be in a cell.',
    remedy: 'Correct its conditions, or the audience.',
    repeat: 'changed',
  },
  below_taken: {
    statuses: [422],
    about: 'A target is below what the cell has taken: its completes and holds.',
    remedy: 'taken has both numbers for each cell.',
    repeat: 'changed',
  },
  no_source: {
    statuses: [422],
    about: 'The survey has no file to compare its questions with.',
    remedy: 'Name one in source_file_id.',
    repeat: 'changed',
  },
  // Who is calling
  unauthorized: {
    statuses: [401],
    about: 'Nobody is signed in, or the token or key is unknown, revoked or expired.',
    remedy: 'Send a valid credential.',
    repeat: 'no',
  },
  bad_credentials: { statuses: [401], about: 'The email or the password is wrong.', remedy: 'Correct them.', repeat: 'changed' },
  demo_password: {
    statuses: [401],
    about: 'The demo’s password is not accepted where others can reach the server.',
    remedy: 'Set another password.',
    repeat: 'no',
  },
  password_expired: {
    statuses: [401],
    about: 'The temporary password has expired.',
    remedy: 'Ask an administrator for a new one.',
    repeat: 'no',
  },
  change_password: {
    statuses: [403],
    about: 'The temporary password must be changed first.',
    remedy: 'Set a new password.',
    repeat: 'reread',
  },
  bad_token: {
    statuses: [404, 422],
    about: 'The link of an invitation or a reset was used, has expired or was cancelled.',
    remedy: 'Ask for a new one.',
    repeat: 'no',
  },
  forbidden: { statuses: [403], about: 'The caller has no right to do this.', remedy: 'Ask an administrator.', repeat: 'no' },
  scope: {
    statuses: [403],
    about: 'The token lacks the scope named in scope.',
    remedy: 'Make a token with it.',
    repeat: 'no',
  },
  limited: {
    statuses: [403],
    about: 'The token is limited to some records, and this is outside of them.',
    remedy: 'Use a token without the limit.',
    repeat: 'no',
  },
  acting: {
    statuses: [403],
    about: 'Only the person can change their account, not an administrator who acts as them.',
    remedy: 'Stop acting as them.',
    repeat: 'no',
  },
  not_authorized: {
    statuses: [409],
    about: 'The quote was not authorized.',
    remedy: 'Send authorized as Yes.',
    repeat: 'changed',
  },
  // The state of the record
  not_now: {
    statuses: [409],
    about: 'The record’s state doesn’t allow this now.',
    remedy: 'The sentence says why; allowed lists the statuses that are possible.',
    repeat: 'reread',
  },
  refused: {
    statuses: [409],
    about: 'A delivery is on its way and can’t be sent again.',
    remedy: 'Read the delivery again.',
    repeat: 'reread',
  },
  stale: {
    statuses: [409],
    about: 'Somebody else changed the record since its lock_version was read.',
    remedy: 'theirs is the record now: merge, and send its lock_version.',
    repeat: 'reread',
  },
  changed: {
    statuses: [409, 412],
    about: 'A record changed since it was reviewed, or read for If-Match; nothing was done.',
    remedy: 'Review it again.',
    repeat: 'reread',
  },
  changed_since: {
    statuses: [409],
    about: 'The record was changed after what would be undone.',
    remedy: 'Undo what is in later first, or change the record by hand.',
    repeat: 'reread',
  },
  done_already: {
    statuses: [409],
    about: 'This Idempotency-Key was used, and its response can’t be shown again.',
    remedy: 'Read the record: the write was made.',
    repeat: 'no',
  },
  already_submitted: {
    statuses: [409],
    about: 'The partner’s request has been answered.',
    remedy: 'sent_at says when.',
    repeat: 'no',
  },
  answers_given: {
    statuses: [409],
    about: 'Respondents have given the answer that is to be renamed.',
    remedy: 'Confirm that theirs are renamed, too.',
    repeat: 'changed',
  },
  both_invited: {
    statuses: [409],
    about: 'Both partners are invited to the same projects.',
    remedy: 'Revoke one of the invitations.',
    repeat: 'reread',
  },
  confirm_repeats: {
    statuses: [409],
    about: 'Some entries repeat an email or an address.',
    remedy: 'Look at them, and confirm with confirm_repeats.',
    repeat: 'changed',
  },
  has_survey: {
    statuses: [409],
    about: 'The activity has a survey.',
    remedy: 'Take that one off, or choose another activity.',
    repeat: 'changed',
  },
  link_replaced: { statuses: [404], about: 'A newer link replaced a partner’s.', remedy: 'Use the newest one.', repeat: 'no' },
  link_expired: { statuses: [404], about: 'A partner’s link has expired.', remedy: 'Ask for a new one.', repeat: 'no' },
  signature: {
    statuses: [401],
    about: 'A session’s signature is missing, wrong or too old.',
    remedy: 'Sign with the link’s secret and the current time, or send an intake key.',
    repeat: 'changed',
  },
  ended: {
    statuses: [409],
    about: 'The session has ended with another outcome.',
    remedy: 'Leave it: the first outcome counts.',
    repeat: 'no',
  },
  expired: {
    statuses: [410],
    about: 'The person left, and the survey has closed since.',
    remedy: 'Leave it.',
    repeat: 'no',
  },
  withdrawn: {
    statuses: [404, 409],
    about: 'The request, or the respondent, was withdrawn.',
    remedy: 'Leave it, or send a respondent with another id.',
    repeat: 'no',
  },
  called_off: {
    statuses: [404],
    about: 'The client called off the request before the partner answered.',
    remedy: 'Leave it.',
    repeat: 'no',
  },
  round_closed: { statuses: [404, 409], about: 'The round of quotes is closed.', remedy: 'Wait for the next one.', repeat: 'no' },
  same_file: {
    statuses: [409],
    about: 'The same file was imported before.',
    remedy: 'Confirm that it is meant with confirm_repeats.',
    repeat: 'changed',
  },
  too_late: {
    statuses: [409],
    about: 'The respondent arrived too long ago to be changed.',
    remedy: 'Leave it as it is.',
    repeat: 'no',
  },
  unreadable: {
    statuses: [409],
    about: 'The file isn’t handed out, as its metadata can’t be removed.',
    remedy: 'Upload it in another format.',
    repeat: 'no',
  },
  // Limits
  limit_reached: {
    statuses: [409, 413, 429],
    about: 'A limit of this installation is reached; the sentence names it.',
    remedy: 'With 429 wait, otherwise delete something or send less.',
    repeat: 'later',
  },
  too_many: {
    statuses: [409, 429],
    about: 'Too many requests at a time, or too many records for one change.',
    remedy: 'With 429 wait as long as Retry-After says, otherwise send fewer.',
    repeat: 'later',
  },
  too_many_exports: {
    statuses: [409],
    about: 'Too many exports are running.',
    remedy: 'Wait for one to end, or cancel it.',
    repeat: 'later',
  },
  // The server
  busy: {
    statuses: [503],
    about: 'Other files are being read, other batches of the survey are being stored, or an arrival wasn’t decided in time.',
    remedy: 'Wait, and send it again.',
    repeat: 'later',
  },
  collided: {
    statuses: [503],
    about: 'Somebody changed the same records at the same moment; nothing was changed.',
    remedy: 'Wait a second.',
    repeat: 'later',
  },
  too_slow: { statuses: [503], about: 'The database took too long; nothing was changed.', remedy: 'Wait.', repeat: 'later' },
  timed_out: { statuses: [504], about: 'The figures took too long to count.', remedy: 'Choose fewer days.', repeat: 'changed' },
  leaving: { statuses: [503], about: 'The server is stopping.', remedy: 'Wait for the next one.', repeat: 'later' },
  database_away: {
    statuses: [503],
    about: 'The database can’t be reached; nothing was changed.',
    remedy: 'Wait.',
    repeat: 'later',
  },
  database_damaged: {
    statuses: [503],
    about: 'The database can’t be read.',
    remedy: 'Tell the operator, with request_id.',
    repeat: 'no',
  },
  files_away: { statuses: [503], about: 'The file store can’t be reached.', remedy: 'Wait.', repeat: 'later' },
  files_refused: {
    statuses: [503],
    about: 'The file store refuses the server.',
    remedy: 'Tell the operator, with request_id.',
    repeat: 'no',
  },
  disk_full: {
    statuses: [507],
    about: 'The server’s disk is full; nothing was changed.',
    remedy: 'Tell the operator.',
    repeat: 'later',
  },
  in_doubt: {
    statuses: [503],
    about: 'The connection to the database was lost while saving.',
    remedy: 'It may or may not be saved.',
    repeat: 'check',
  },
  saved: {
    statuses: [500, 503, 507],
    about: 'It was saved, but its response failed.',
    remedy: 'Read the record.',
    repeat: 'check',
  },
  broken_off: {
    statuses: [500],
    about: 'The batch broke off; what arrived is kept.',
    remedy: 'Send the whole batch again: nothing counts twice.',
    repeat: 'later',
  },
  internal: {
    statuses: [500],
    about: 'Something went wrong on our side; nothing was changed.',
    remedy: 'Tell the operator, with request_id.',
    repeat: 'later',
  },
} as const satisfies Readonly<Record<string, ErrorCodeRow>>

export type ErrorCode = keyof typeof ERROR_CODES

/** TABLE  what is wrong with one field of a request, or of a row of a batch. */
export const FIELD_CODES = {
  required: 'It is missing or blank.',
  type: 'It has the wrong type: a number for a text, a list for one value.',
  choice: 'It is none of the accepted values.',
  range: 'It is too large, too small, too long or too short.',
  format: 'It is not written as it has to be.',
  unknown_field: 'There is no such field here.',
  read_only: 'It can’t be changed by this call.',
  taken: 'Another record has this value.',
  invalid: 'It is wrong for another reason, which its sentence says.',
} as const

export type FieldCode = keyof typeof FIELD_CODES
