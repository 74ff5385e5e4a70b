import { useEffect } from 'react'
import { storeFirstReads } from '../data/firstReads.ts'
import { PrintedRows } from '../ui/grid/PrintedRows.tsx'
import { setPrintedRows } from '../ui/printState.ts'
import { keepPage } from '../workspace/keepPage.ts'
import { Announcer } from './Announcer.tsx'
import { DeskCount } from './DeskCount.tsx'
import { FindBar } from './FindBar.tsx'
import { keepRowInSight, keepTabsInSight } from './inSight.ts'
import { KeyHints } from './KeyHints.ts'
import { printPanes } from './printPane.ts'
import { TruncatedText } from './TruncatedText.tsx'

let mounted = (): void => {}
/** Resolves once these parts are mounted. */
export const deferredMounted = new Promise<void>((done) => {
  mounted = done
})

/** Loaded after the first screen: announcements, text cards, find, print, key hints, dropped files, scrolling. */
export function DeferredParts() {
  useEffect(() => {
    setPrintedRows(PrintedRows)
    const ends = [keepPage(), printPanes(), keepTabsInSight(), keepRowInSight(), storeFirstReads()]
    mounted()
    return () => {
      for (const end of ends) end()
    }
  }, [])
  return (
    <>
      <Announcer />
      <TruncatedText />
      <FindBar />
      <KeyHints />
      <DeskCount />
    </>
  )
}
