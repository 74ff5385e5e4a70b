import { useEffect } from 'react'
import { PrintedRows } from '../ui/grid/PrintedRows.tsx'
import { setPrintedRows } from '../ui/onPaper.ts'
import { Announcer } from './Announcer.tsx'
import { CutText } from './CutText.tsx'
import { FindBar } from './FindBar.tsx'
import { KeyHints } from './KeyHints.ts'
import { printPanes } from './printPane.ts'

let stand = (): void => {}
/** Resolves once these parts are mounted. */
export const standing = new Promise<void>((done) => {
  stand = done
})

/** Parts that load after the first screen: what speaks, cards of cut texts, finding, printing, hints of keys. */
export function Standby() {
  useEffect(() => {
    setPrintedRows(PrintedRows)
    const end = printPanes()
    stand()
    return end
  }, [])
  return (
    <>
      <Announcer />
      <CutText />
      <FindBar />
      <KeyHints />
    </>
  )
}
