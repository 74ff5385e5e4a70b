import { CommandButton } from '../../commands/CommandButton.tsx'
import { useCall } from '../../data/useCall.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Pill.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { moment } from '../../workspace/format.ts'
import { Part } from './Part.tsx'

/** The keys with which importers send responses; for administrators (decisions.md 10). */
export function ApiKeys() {
  const { data, error, loading, retry } = useCall('key.list', {})
  const keys = data?.data ?? []
  return (
    <Part
      title="API keys"
      about="With one, an importer sends responses and visits. A key is shown once, when it is made."
      action={keys.length > 0 && <CommandButton id="key.create" />}
    >
      {error && (
        <ErrorState title="The API keys could not be loaded" action={<Button onClick={retry}>Try again</Button>}>
          {error.message}
        </ErrorState>
      )}
      {loading && <Skeleton rows={2} />}
      {data && keys.length === 0 && (
        <EmptyState className="py-6!" action={<CommandButton id="key.create" />}>
          No importer has a key yet.
        </EmptyState>
      )}
      <ul className="divide-y divide-line">
        {keys.map((key) => (
          <li key={key.id} className="flex min-h-12 items-center gap-3 py-1.5">
            <div className="min-w-0 flex-1">
              <p className="flex items-center gap-2">
                <span className="truncate font-medium">{key.name}</span>
                {key.revoked_at && <Badge>revoked</Badge>}
              </p>
              <p className="text-meta text-muted">
                made {moment(key.created_at)} by {key.created_by_name} ·{' '}
                {key.last_used_at ? `last used ${moment(key.last_used_at)}` : 'never used'}
              </p>
            </div>
            {!key.revoked_at && (
              <CommandButton id="key.revoke" subjects={[{ kind: 'key', id: key.id, name: key.name }]} plain>
                Revoke
              </CommandButton>
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}
