import { type Fields, faultsOf, textsOf, type ValuesOf } from '../../../../contract/fieldKinds.ts'
import { useSmallForm } from './useSmallForm.ts'

type Strings = Record<string, string>
type Small<V extends Strings> = Parameters<typeof useSmallForm<V>>[0]

/** A small form of declared fields, for a new record or the one that is edited, and of what its calls take besides. */
export function useSmallFieldForm<F extends Fields, More extends Strings = Record<never, string>>(
  fields: F,
  options: Omit<Small<ValuesOf<F> & More & Strings>, 'initial'> & {
    record?: object
    /** Values of a new record that aren't the usual ones, and those of no field. */
    initial?: Partial<ValuesOf<F>> & More
  },
) {
  const { record, initial, check } = options
  return useSmallForm<ValuesOf<F> & More & Strings>({
    ...options,
    initial: { ...textsOf(fields, record), ...initial } as ValuesOf<F> & More & Strings,
    check: (values) => ({ ...(faultsOf(fields, values, record) as ReturnType<NonNullable<typeof check>>), ...check?.(values) }),
  })
}
