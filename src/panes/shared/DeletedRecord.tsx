import type { ComponentProps, ReactNode } from 'react'
import { useMay } from '../../data/permissions.ts'
import { useCall } from '../../data/useCall.ts'
import { RecordGone } from './RecordGone.tsx'

/** Says that a record that a screen is filtered by was deleted, with its restore; shows `children` otherwise. */
export function DeletedRecord({
  children,
  ...props
}: Omit<ComponentProps<typeof RecordGone>, 'name' | 'beside'> & { children?: ReactNode }) {
  const { noun, id } = props
  const deletion = useCall('undo.deletion', useMay('undo.deletion') ? { noun, id } : null, { fresh: true })
  if (!deletion.data) return children
  return <RecordGone {...props} name={deletion.data.data.name} beside />
}
