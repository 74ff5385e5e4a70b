import { lists } from '../../../contract/listRows.ts'
import { subjectAs } from '../../commands/subject.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { href } from '../../routing/routes.ts'
import { clientsText, nounsText, WEBHOOK_LOOKS, type Webhook } from './looks.ts'

const WORDS = lists.webhook.columns.status.words
const STATUSES = [
  { value: '', label: 'any' },
  ...Object.entries(WORDS).map(([value, word]) => ({ value, label: word.toLowerCase() })),
]
const cell = (text: string) => <span className={`truncate ${text ? 'text-muted' : 'text-faint'}`}>{text || '–'}</span>
const columns = columnsOf('webhook', {
  name: { min: 150, flex: 2, priority: 11, render: (row) => <span className="truncate font-medium">{row.name}</span> },
  status: { width: 104, priority: 10, narrow: 'aside', looks: WEBHOOK_LOOKS },
  url: { min: 180, flex: 3, priority: 8, narrow: 'meta', render: (row) => cell(row.url.replace(/^https:\/\//, '')) },
  nouns: { min: 140, flex: 2, priority: 9, narrow: 'meta', render: (row) => cell(nounsText(row.nouns)) },
  clients: { min: 110, flex: 1.5, priority: 4, render: (row) => cell(clientsText(row.clients)) },
  owner: { min: 110, flex: 1, priority: 5 },
  last_delivered_at: { width: 132, priority: 7 },
  waiting_count: { width: 84, priority: 3 },
  failed_count: { width: 76, priority: 6 },
  created_at: { width: 132, priority: 2 },
  id: { width: 64, priority: 1, narrow: 'hidden' },
})

/** Lists the webhooks that notify other programs. */
export default function WebhooksPane() {
  const list = useNounList('webhook', {
    filters: { status: '' },
    where: ({ status }) => (status in WORDS ? { status: status as Webhook['status'] } : {}),
  })
  return (
    <ListScreen<Webhook>
      {...list}
      title="Webhooks"
      columns={columns}
      subjectOf={subjectAs<Webhook>('webhook')}
      hrefOf={(row) => href('webhook', { id: row.id })}
      filters={[{ name: 'status', label: 'Status', options: STATUSES }]}
      actions={['webhook.create']}
      empty={{ sentence: 'No webhooks yet. A webhook notifies another program of changes here.', command: 'webhook.create' }}
    />
  )
}
