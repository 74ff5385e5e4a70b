export interface Fault {
  id: string
  about: string
  file: string
  symbol: string
  from: string
  to: string
}

export const FAULTS: readonly Fault[] = []
