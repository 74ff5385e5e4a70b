/** A fault to plant: the exact text of one place in a file, and the wrong text that replaces it. */
export interface Fault {
  id: string
  about: string
  file: string
  symbol: string
  from: string
  to: string
}

/** TABLE  forty faults written by hand before the suite was thinned, by somebody who hadn't read the tests. */
export const FAULTS: readonly Fault[] = [
  // server/domain
  {
    id: 'rejected-content-counted',
    about: 'A client user sees rejected content in the counts, though not in the gallery.',
    file: 'server/domain/content/counts.ts',
    symbol: 'contentCounts',
    from: ` and \${actsSeen(ctx)}
      and (projects.id =`,
    to: `
      and (projects.id =`,
  },
  {
    id: 'unsent-prices-shown',
    about: 'A client user reads prices that were replaced before anybody sent them.',
    file: 'server/domain/quote/projectQuote.ts',
    symbol: 'clientQuotes',
    from: `.filter(
    (quote) => quote.state !== 'prepared' && (quote.sent_at || quote.decided_at),
  )`,
    to: `.filter((quote) => quote.state !== 'prepared')`,
  },
  {
    id: 'late-by-utc-day',
    about: 'An answer that a partner sends on the evening of the last day is shown as late.',
    file: 'server/domain/quote/projectQuote.ts',
    symbol: 'shownInvitation',
    from: 'asking.dayOf(sent.sent_at) > row.answer_by',
    to: 'sent.sent_at.slice(0, 10) > row.answer_by',
  },
  {
    id: 'stale-answer-overwrites',
    about: 'A correction from an older tab of a partner overwrites the newer answer without a word.',
    file: 'server/domain/quote/answers.ts',
    symbol: 'keepAnswer',
    from: 'if (before && sent.lock_version !== undefined',
    to: `if (before?.state === 'draft' && sent.lock_version !== undefined`,
  },
  {
    id: 'highest-amount-missed',
    about: 'A list of receivers up to $19.99 lacks those of exactly $19.99.',
    file: 'server/domain/entry/receivers.ts',
    symbol: 'resolve',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the product's own text
    from: '<= ${max}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the product's own text
    to: '< ${max}',
  },
  {
    id: 'unknown-income-is-lowest',
    about: 'The filter by unknown income shows the figures of the lowest income.',
    file: 'server/domain/runtime/range.ts',
    symbol: 'cellFilter',
    from: 'numbers(input.hhi, 7, Number)',
    to: 'numbers(input.hhi, 0, Number)',
  },
  {
    id: 'cancelled-notification-untold',
    about: 'After a notification was cancelled, open lists still show it as being sent.',
    file: 'server/domain/notification/deliver.ts',
    symbol: 'takeBack',
    from: `after: { cancelled: true } })
  ctx.emit({ noun: 'notification', id, audience: 'admin' })`,
    to: 'after: { cancelled: true } })',
  },
  {
    id: 'list-cached-across-tokens',
    about: 'A token limited to one client reads the projects that its owner’s other token has just listed.',
    file: 'server/domain/project/list.ts',
    symbol: 'keptOrder',
    from: `const { id, role, only } = ctx.actor
  // Two tokens of one user may see different projects.
  const me = seesAll(ctx.actor) && !input.mine && input.owner_id !== 'me' ? 'everything' : { id, role, only }`,
    to: `const { id, role } = ctx.actor
  const me = seesAll(ctx.actor) && !input.mine && input.owner_id !== 'me' ? 'everything' : { id, role }`,
  },

  // server/calls
  {
    id: 'older-list-ends-by-start',
    about: 'The older list of survey projects, sorted by end date, is in the order of the start dates.',
    file: 'server/calls/campaign.ts',
    symbol: 'OLDER_COLUMNS',
    from: `  company_name: 'client',`,
    to: `  end_date: 'start_dt',
  company_name: 'client',`,
  },
  {
    id: 'undone-deletion-dropped',
    about: 'A record whose deletion was undone stays away from everybody else’s palette.',
    file: 'server/calls/undo.ts',
    symbol: 'eventsOf',
    from: `return event.kind === 'drop' ? { ...event, kind: 'put' } : gone ?`,
    to: 'return gone ?',
  },
  {
    id: 'upload-counted-as-project',
    about: 'The list of one upload’s rewards says how many the whole project has.',
    file: 'server/calls/entry.ts',
    symbol: 'countsOf',
    from: `if (
    !filter.search &&
    !filter.updated_since &&
    filter.like === undefined &&
    filter.import_id === undefined &&
    ['', 'any', 'none'].includes(flag)
  ) {`,
    to: `if (!filter.search && !filter.updated_since && filter.like === undefined && ['', 'any', 'none'].includes(flag)) {`,
  },
  {
    id: 'audience-options-unlocked',
    about: 'Two administrators who change a project’s audience options overwrite each other unnoticed.',
    file: 'server/calls/audience.ts',
    symbol: 'audienceHandlers',
    from: `
    // The stamps change with every write, so they are left out of the comparison.
    if (changed.length && row && lock_version !== undefined && lock_version !== row.lock_version)
      throw stale('audience', row, fields)`,
    to: '',
  },
  {
    id: 'fraud-cleared-without-history',
    about: 'The history doesn’t say who cleared a project’s fraud flags.',
    file: 'server/calls/runtime.ts',
    symbol: 'clearFraud',
    from: `
    await ctx.record({ subject: 'project', subject_id: project.id, before: { fraud_flags: cleared }, after: { fraud_flags: 0 } })`,
    to: '',
  },

  // server/core, jobs and mail
  {
    id: 'formula-behind-minus',
    about: 'A text such as "-2+3+cmd" arrives in a spreadsheet as a formula.',
    file: 'server/core/csv.ts',
    symbol: 'NUMBER',
    from: String.raw`NUMBER = /^-\d+(\.\d+)?$/`,
    to: String.raw`NUMBER = /^-\d+(\.\d+)?/`,
  },
  {
    id: 'cursor-loses-empty-rows',
    about: 'On PostgreSQL, a program that follows the pages of rewards by their sending time never gets those not sent.',
    file: 'server/core/keyset.ts',
    symbol: 'behind',
    from: `nullsLast || (engine === 'postgres' ? way === 'asc' : way === 'desc')`,
    to: `nullsLast || way === 'desc'`,
  },
  {
    id: 'yesterday-after-midnight',
    about: 'After midnight the server takes yesterday for today until a day begins in UTC.',
    file: 'server/core/unitOfWork.ts',
    symbol: 'todayIn',
    from: 'Math.floor(moment.getTime() / 60_000)',
    to: 'Math.floor(moment.getTime() / 86_400_000)',
  },
  {
    id: 'older-deletion-lost',
    about: 'What an older call deleted can’t be restored.',
    file: 'server/core/undo/changeSets.ts',
    symbol: 'isDeletion',
    from: ` || call === \`\${noun}.removeOlder\``,
    to: '',
  },
  {
    id: 'export-outlives-admin',
    about: 'An administrator who became a client user still opens the exports made before.',
    file: 'server/jobs/exportAccess.ts',
    symbol: 'heldBy',
    from: 'if (holds === null) return null',
    to: 'if (holds === null) return { projects: [], services: [] }',
  },
  {
    id: 'refused-mail-is-sent',
    about: 'An email that the mail server refused is listed as sent and never tried again.',
    file: 'server/mail/mailKind.ts',
    symbol: 'mailKind',
    from: `
      throw error
    }
    return {}`,
    to: `
      else throw error
    }
    return {}`,
  },

  // src/list
  {
    id: 'rows-fail-silently',
    about: 'Rows that can’t be loaded while scrolling stay gray, without a message or a way to retry.',
    file: 'src/list/rowLoader.ts',
    symbol: 'createRowLoader',
    from: `halt()
      set({`,
    to: `halt()
      if (now.count !== undefined) return
      set({`,
  },
  {
    id: 'next-record-of-old-list',
    about: 'After a list has changed, the keys for the next record still follow its old rows.',
    file: 'src/list/recordTrails.ts',
    symbol: 'steps',
    from: `
    step.trail.chunks = new Map()`,
    to: '',
  },
  {
    id: 'note-takes-focus',
    about: 'A note in a pane beside takes the focus away from the pane in which somebody works.',
    file: 'src/list/useEntries.ts',
    symbol: 'useEntries',
    from: 'if (at === null || !active || !focuses.current) return',
    to: 'if (at === null || !focuses.current) return',
  },
  {
    id: 'selected-row-stays-old',
    about: 'A selected row that somebody else edits is refused as changed when a bulk action runs on it.',
    file: 'src/list/selection.ts',
    symbol: 'alike',
    from: '(before === undefined || now === undefined || before === now) &&',
    to: '(before === undefined || now === undefined || before !== -1) &&',
  },

  // src/palette
  {
    id: 'enter-chooses-and-sends',
    about: 'Enter on a name in a dialog’s list also sends the dialog.',
    file: 'src/palette/EntityField.tsx',
    symbol: 'EntitySearch',
    from: `else if (event.key === 'Enter' && open && shown.length) pick(at)
          else return`,
    to: `else {
            if (event.key === 'Enter' && open && shown.length) pick(at)
            return
          }`,
  },
  {
    id: 'typed-cent-lost',
    about: 'An amount of 12.5 becomes $12.05, wherever it is typed.',
    file: 'contract/money.ts',
    symbol: 'centsOf',
    from: "decimals.padEnd(2, '0')",
    to: "decimals.padStart(2, '0')",
  },
  {
    id: 'disabled-command-first',
    about: 'A command that can’t run now comes before one that can, so that Enter does nothing.',
    file: 'src/palette/rank.ts',
    symbol: 'byRank',
    from: `a.tier - b.tier ||
    Number(a.off ?? false) - Number(b.off ?? false) ||
    Number(b.use > 0) - Number(a.use > 0) ||
    b.use - a.use ||
    (a.rest ?? 0) - (b.rest ?? 0) ||
    a.near`,
    to: 'a.tier - b.tier || Number(b.use > 0) - Number(a.use > 0) || b.use - a.use || (a.rest ?? 0) - (b.rest ?? 0) || a.near',
  },
  {
    id: 'unread-subject-goes-on',
    about: 'If a record can’t be read, its command asks for answers all the same and fails at the end.',
    file: 'src/palette/useSteps.ts',
    symbol: 'useSteps',
    from: '.catch((error: Error) => ({ able: [], left: [{ reason: error.message }] }))',
    to: '.catch(() => ({ able: availability.able, left: [] }))',
  },

  // src/runner
  {
    id: 'retry-does-it-twice',
    about: 'Retry after a lost response creates the record a second time.',
    file: 'src/runner/runCommand.ts',
    symbol: 'failed',
    from: `label: 'Retry', run: () => run(invocation) }`,
    to: `label: 'Retry', run: () => run({ ...invocation, attempt: newAttempt() }) }`,
  },
  {
    id: 'half-done-not-undone',
    about: 'What a command wrote before it failed can’t be undone.',
    file: 'src/runner/runCommand.ts',
    symbol: 'execute',
    from: `
    // What was written before the failure can still be undone.
    if (steps.length) posting()`,
    to: '',
  },
  {
    id: 'held-key-repeats-command',
    about: 'A shortcut held a moment too long runs its command several times.',
    file: 'src/runner/keys/dispatcher.ts',
    symbol: 'listen',
    from: `if (key.repeat && !(step.kind === 'run' && listener.repeats(step.command))) {`,
    to: `if (key.repeat && step.kind !== 'run') {`,
  },

  // src/workspace
  {
    id: 'focus-to-row-before',
    about: 'When the focused row goes, the focus moves to the row before it instead of the next.',
    file: 'src/workspace/restoreFocus.ts',
    symbol: 'inNeighbour',
    from: 'for (const row of [next, before])',
    to: 'for (const row of [before, next])',
  },
  {
    id: 'closed-form-forgotten',
    about: 'A form closed with unsaved text loses it after one more step, though Back still opens the form.',
    file: 'src/workspace/unsavedChanges.ts',
    symbol: 'detach',
    from: '[...panesOf(before), ...old]',
    to: 'panesOf(before)',
  },
  {
    id: 'names-outlive-session',
    about: 'Who signs in next in this tab reads the names of records that the user before had open.',
    file: 'src/workspace/paneState.ts',
    symbol: 'namesAtom',
    from: `
// The next user in this tab must not see the previous one's record names.
store.sub(sessionKeyAtom, () => store.set(namesAtom, readNames()))`,
    to: '',
  },

  // src/panes
  {
    id: 'copied-cell-unescaped',
    about: 'A chart copied to a document loses the part of an answer behind a "<".',
    file: 'src/panes/shared/copySheet.ts',
    symbol: 'htmlOf',
    from: `<td>\${escaped(cellText(cell))}</td>`,
    to: `<td>\${cellText(cell)}</td>`,
  },
  {
    id: 'their-save-clears-mine',
    about: 'What is typed into a form is lost when somebody else saves another field of the record.',
    file: 'src/panes/shared/form/useRecordForm.ts',
    symbol: 'useRecordForm',
    from: 'const merged = { ...initial, ...Object.fromEntries(own.map((field) => [field, mine[field]])) }',
    to: 'const merged = initial',
  },
  {
    id: 'upload-stored-twice',
    about: 'An upload that is retried after a lost response is stored twice.',
    file: 'src/panes/shared/form/useUploads.ts',
    symbol: 'useUploads',
    from: 'progress: 0, stop: new AbortController() }',
    to: 'progress: 0, stop: new AbortController(), attempt: newAttempt() }',
  },
  {
    id: 'mix-ends-a-day-late',
    about: 'A mix of partners that ends on the project’s last day is shown as ending a day late.',
    file: 'src/panes/project/approval/MixPart.tsx',
    symbol: 'endOf',
    from: 'addDays(start, Math.max(0, mix.days - 1))',
    to: 'addDays(start, mix.days)',
  },

  // contract
  {
    id: 'quote-expires-a-day-early',
    about: 'A client can’t approve a quote on the last day on which it is valid.',
    file: 'contract/projectAccess.ts',
    symbol: 'guardOf',
    from: 'project.quote_valid_until && project.quote_valid_until < project.today',
    to: 'project.quote_valid_until && project.quote_valid_until <= project.today',
  },
  {
    id: 'read-token-writes-by-get',
    about: 'A token that may only read clears rewards and fraud flags by the older calls that do so by GET.',
    file: 'contract/tokenScope.ts',
    symbol: 'onlyReads',
    from: `(row.method === 'GET' && !row.unsafe) || row.keepsNothing`,
    to: `row.method === 'GET' || row.keepsNothing`,
  },
  {
    id: 'two-flags-match-none',
    about: 'A filter of rewards by one flag leaves out those that have a second flag.',
    file: 'contract/entryFlags.ts',
    symbol: 'flagsThat',
    from: `(bits) =>
    flag === 'any' ? bits > 0 : flag === 'none' ? bits === 0 : (bits & FLAG_BITS[flag]) > 0,
  )`,
    to: `(bits) => (flag === 'any' ? bits > 0 : flag === 'none' ? bits === 0 : bits === FLAG_BITS[flag]))`,
  },
]

/** Returns a file's text with a fault planted; null if the fault's place isn't there exactly once. */
export function plantFault(text: string, { from, to }: Pick<Fault, 'from' | 'to'>): string | null {
  const at = text.indexOf(from)
  if (at < 0 || text.indexOf(from, at + 1) >= 0) return null
  return text.slice(0, at) + to + text.slice(at + from.length)
}
