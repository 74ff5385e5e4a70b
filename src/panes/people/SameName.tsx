import { useCallback, useMemo } from 'react'
import { codeOf } from '../../../contract/nounOf.ts'
import { useMay } from '../../data/permissions.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { Badge } from '../../ui/Pill.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'

/** Returns IDs of records with the same name, for administrators (decisions.md 13, "Names and ids"). */
export function useSameNames(noun: 'client' | 'team' | 'location group' | 'partner'): (id: number) => readonly number[] {
  const { data } = useCall('client.doubles', useMay('client.doubles') ? {} : null)
  const others = useMemo(() => {
    const sameNamed = data?.data.filter((one) => one.noun === noun) ?? []
    return new Map(sameNamed.flatMap(({ ids }) => ids.map((id) => [id, ids.filter((other) => other !== id)] as const)))
  }, [data, noun])
  return useCallback((id) => others.get(id) ?? [], [others])
}

/** Shows "Same name as C-130", linked to the other client. */
export function SameName({ others, inRow }: { others: readonly number[]; inRow?: true }) {
  if (!others.length) return null
  return (
    <span className="shrink-0 whitespace-nowrap text-meta text-amber-ink">
      Same name as{' '}
      {others.map((id, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <PaneLink
            to={href('client', { id }, { tab: 'details' })}
            {...(inRow ? { tabIndex: -1, onClick: (event) => event.stopPropagation() } : {})}
            className="font-mono underline"
          >
            {codeOf('client', id)}
          </PaneLink>
        </span>
      ))}
    </span>
  )
}

/** Marks a row whose name occurs more than once in this list. */
export const NameTwice = ({ others }: { others: readonly number[] }) =>
  others.length > 0 && (
    <Badge tone="amber" className="shrink-0 whitespace-nowrap">
      name used {others.length === 1 ? 'twice' : `${others.length + 1} times`}
    </Badge>
  )
