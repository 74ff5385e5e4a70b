import { expect, onTestFinished, test, vi } from 'vitest'
import { copySheet } from '../../src/panes/shared/copySheet.ts'

test('a copied table shows answers with signs of markup whole, and no text as a formula', async () => {
  const copied: Record<string, Blob>[] = []
  vi.stubGlobal('ClipboardItem', function (this: object, blobs: Record<string, Blob>) {
    copied.push(blobs)
  })
  vi.stubGlobal('navigator', { clipboard: { write: async () => {} } })
  onTestFinished(() => void vi.unstubAllGlobals())
  const sheet = { title: 'Spend & age', head: ['Answer <b>', 'n'], rows: [['a < b & c', 2] as const, ['=1+1', 3] as const] }
  expect(await copySheet(sheet)).toEqual({ rows: 2, blocked: null })
  expect(await copied[0]!['text/html']!.text()).toBe(
    '<table><caption>Spend &amp; age</caption><tr><th>Answer &lt;b&gt;</th><th>n</th></tr>' +
      "<tr><td>a &lt; b &amp; c</td><td>2</td></tr><tr><td>'=1+1</td><td>3</td></tr></table>",
  )
  expect(await copied[0]!['text/plain']!.text()).toBe("Spend & age\nAnswer <b>\tn\na < b & c\t2\n'=1+1\t3")
})
