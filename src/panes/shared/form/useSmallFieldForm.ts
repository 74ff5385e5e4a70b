import { useEffect } from 'react'
import { type Fields, faultsOf, textsOf, type ValuesOf } from '../../../../contract/fieldKinds.ts'
import { usePane } from '../../../workspace/pane.tsx'
import { useSmallForm } from './useSmallForm.ts'

type Strings = Record<string, string>
type Small<V extends Strings> = Parameters<typeof useSmallForm<V>>[0]

/**
 * A small form of declared fields, for a new record or the one that is edited, and of what its calls take besides.
 * Its pane asks before it closes over what was typed.
 */
export function useSmallFieldForm<F extends Fields, More extends Strings = Record<never, string>>(
  fields: F,
  options: Omit<Small<ValuesOf<F> & More & Strings>, 'initial'> & {
    record?: object
    /** Values of a new record that aren't the usual ones, and those of no field. */
    initial?: Partial<ValuesOf<F>> & More
  },
) {
  const { record, initial, check } = options
  const { setDirty } = usePane()
  const form = useSmallForm<ValuesOf<F> & More & Strings>({
    ...options,
    initial: { ...textsOf(fields, record), ...initial } as ValuesOf<F> & More & Strings,
    check: (values) => ({ ...(faultsOf(fields, values, record) as ReturnType<NonNullable<typeof check>>), ...check?.(values) }),
  })
  const { dirty } = form
  useEffect(() => setDirty(dirty), [dirty, setDirty])
  useEffect(() => () => setDirty(false), [setDirty])
  return form
}
