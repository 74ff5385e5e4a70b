import { lists } from '../../../contract/listRows.ts'
import { subjectAs } from '../../commands/subject.ts'
import { useMay } from '../../data/permissions.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf, type Looks, type RowOf } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'

type Token = RowOf<'token'>

const LOOKS: Looks<Token['status']> = { valid: ['green', 'dot'], expired: ['grey', 'ring'], revoked: ['grey', 'cross'] }
const WORDS = lists.token.columns.status.words
const STATUSES = [
  { value: '', label: 'any' },
  ...Object.entries(WORDS).map(([value, word]) => ({ value, label: word.toLowerCase() })),
]
const FILTERS = { status: '' } as const

/** Scopes beside those for everything. */
const rightsIn = (scopes: readonly string[]) => scopes.filter((scope) => !scope.startsWith('*:'))

/** Summarizes a token's access in a few words, to fit a cell. */
const opensText = ({ scopes, kind }: Token): string =>
  kind === 'intake'
    ? 'Results and visits'
    : scopes.includes('*:write')
      ? ['Everything', ...rightsIn(scopes)].join(', ')
      : scopes.includes('*:read')
        ? ['Everything, to read', ...rightsIn(scopes)].join(', ')
        : scopes.join(', ')

/** Lists what a token is limited to. */
function limitText({ kind, clients, projects, surveys, services, all_services }: Token): string {
  const names = [...clients, ...projects, ...surveys, ...services].map(({ name }) => name)
  if (all_services) return 'All services'
  if (!names.length) return kind === 'intake' ? 'Every survey' : 'Everything'
  return names.length > 2 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ')
}

const cell = (text: string) => <span className={`truncate ${text ? 'text-muted' : 'text-faint'}`}>{text || '–'}</span>
const columns = columnsOf('token', {
  name: { min: 160, flex: 3, priority: 11, render: (row) => <span className="truncate font-medium">{row.name}</span> },
  status: { width: 104, priority: 10, narrow: 'aside', looks: LOOKS },
  kind: { width: 104, priority: 6 },
  owner: { min: 110, flex: 1.5, priority: 5 },
  scopes: { min: 140, flex: 2, priority: 9, narrow: 'meta', render: (row) => cell(opensText(row)) },
  limit: { min: 120, flex: 2, priority: 7, render: (row) => cell(limitText(row)) },
  last_used_at: { width: 132, priority: 8, narrow: 'meta' },
  last_address: { width: 120, priority: 3, render: (row) => cell(row.last_address) },
  expires_at: { width: 132, priority: 4 },
  created_at: { width: 132, priority: 2 },
  id: { width: 64, priority: 1, narrow: 'hidden' },
})

/** Lists API tokens and importers' keys; a token is shown once, when it is created. */
export default function TokensPane() {
  const makesService = useMay('token.createService')
  const list = useNounList('token', {
    filters: FILTERS,
    where: ({ status }) => (status in WORDS ? { status: status as Token['status'] } : {}),
  })
  return (
    <ListScreen<Token>
      {...list}
      title="Tokens"
      columns={columns}
      subjectOf={subjectAs<Token>('token')}
      filters={[{ name: 'status', label: 'Status', options: STATUSES }]}
      actions={makesService ? ['token.createService', 'token.create'] : ['token.create']}
      empty={{ sentence: 'No tokens yet. Programs use a token instead of your password.', command: 'token.create' }}
    />
  )
}
