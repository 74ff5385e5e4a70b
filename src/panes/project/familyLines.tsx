import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { useCall } from '../../data/useCall.ts'
import type { ListScreenProps } from '../../list/ListScreen.tsx'
import { workspace } from '../../workspace/currentWorkspace.ts'
import type { CampaignRow, ProjectRow } from '../shared/projectSubject.ts'

const NONE: readonly never[] = []

type Listed = ProjectRow | CampaignRow
type FamilyCall = 'project.get' | 'campaign.get'
type OnRead = (id: number, children: readonly object[]) => void

/** Reads an open family's children, and again when one changes. The cursor has usually prefetched them. */
function Family({ call, id, onRead }: { call: FamilyCall; id: number; onRead: OnRead }) {
  const { data, error } = useCall(call, { id })
  useEffect(() => {
    if (data) onRead(id, data.data.children)
    else if (error) {
      onRead(id, NONE)
      workspace.notice(error.message, 'bad')
    }
  }, [data, error, id, onRead])
  return null
}

/** The rows below parents: their own part, if they have orders or responses, then children, read when they open. */
export function useFamilies<Row extends Listed>(
  call: FamilyCall,
  ownPart: (row: Row) => Row | null,
): { readers: ReactNode; list: Pick<ListScreenProps<Row>, 'childrenOf' | 'hasChildren' | 'branches'> } {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [read, setRead] = useState<ReadonlyMap<number, readonly object[]>>(new Map())
  const toggle = useCallback(({ id }: Row, is: boolean) => {
    setOpen((before) => new Set(is ? [...before, id] : [...before].filter((one) => one !== id)))
  }, [])
  const onRead = useCallback<OnRead>((id, children) => setRead((before) => new Map([...before, [id, children]])), [])
  const childrenOf = useMemo(() => {
    // Kept, so that memoised rows don't re-render.
    const known = new WeakMap<Row, readonly Row[]>()
    return (row: Row): readonly Row[] => {
      const children = hasChildren(row) && (read.get(row.id) as readonly Row[] | undefined)
      if (!children) return NONE
      const own = ownPart(row)
      const lines = known.get(row) ?? [...(own ? [own] : []), ...children]
      known.set(row, lines)
      return lines
    }
  }, [read, ownPart])
  const loading = [...open].some((id) => !read.has(id))
  return {
    readers: [...open].map((id) => <Family key={id} call={call} id={id} onRead={onRead} />),
    list: { childrenOf, hasChildren, branches: { toggle, loading } },
  }
}

const hasChildren = (row: Listed): boolean => !row.part && Boolean(row.children_count)

/** A parent's own part as a row, if it has orders or responses (decisions.md 13, Families). */
export function ownProjectPart(row: ProjectRow): ProjectRow | null {
  if (!row.own) return null
  const { cost_cents, ...own } = row.own
  return { ...row, ...own, family_cost_cents: cost_cents, part: 'own' }
}

/** The ID of a list row; negative for a parent's own part, which shares its parent's record ID. */
export const lineId = (row: ProjectRow | CampaignRow): number => (row.part ? -row.id : row.id)
