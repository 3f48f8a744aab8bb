/* The page of a game with JavaScript: the arrow keys move over the board, and what is picked or played is shown
   without loading the page anew (htmx). Everything works without this file too. */
(() => {
  'use strict'
  let cell = '' // the id of the cell that the Tab key comes to
  let focused = '' // the id of what had the focus before the page changed
  let open = [] // the ids of the parts that were unfolded
  let isAsked = true // whether the reader asked for the change, not the clock
  let saying = 0

  const cellsOf = table => [...table.querySelectorAll('td')]

  /* One cell of the board takes part in the round of the Tab key, and the arrow keys lead to the others. */
  const prepare = () => {
    const table = document.querySelector('.spaces')
    if (!table) return
    for (const link of table.querySelectorAll('a')) link.tabIndex = -1
    const cells = cellsOf(table)
    for (const each of cells) each.tabIndex = -1
    const first = cells.find(each => each.id === cell) || table.querySelector('.chosen, .lit, .fits') || cells[0]
    first.tabIndex = 0
    cell = first.id
  }

  const goTo = target => {
    for (const each of cellsOf(target.closest('.spaces'))) each.tabIndex = -1
    target.tabIndex = 0
    cell = target.id
    target.focus()
  }

  document.addEventListener('keydown', event => {
    const here = event.target.closest && event.target.closest('.spaces td')
    if (!here || event.altKey || event.metaKey) return
    const cells = cellsOf(here.closest('.spaces'))
    const width = here.parentElement.children.length
    const at = cells.indexOf(here)
    const column = at % width
    const last = cells.length - 1
    let to = at
    switch (event.key) {
      case 'ArrowLeft': if (column > 0) to = at - 1; break
      case 'ArrowRight': if (column < width - 1) to = at + 1; break
      case 'ArrowUp': if (at >= width) to = at - width; break
      case 'ArrowDown': if (at + width <= last) to = at + width; break
      case 'PageUp': to = column; break
      case 'PageDown': to = last - width + 1 + column; break
      case 'Home': to = event.ctrlKey ? 0 : at - column; break
      case 'End': to = event.ctrlKey ? last : at - column + width - 1; break
      case 'Enter':
      case ' ': {
        const link = here.querySelector('a')
        if (link && event.target !== link) { event.preventDefault(); link.click() }
        return
      }
      default: return
    }
    event.preventDefault()
    goTo(cells[to])
  })

  document.addEventListener('focusin', event => {
    const here = event.target.closest('.spaces td')
    if (here) cell = here.id
  })

  /* Say once what has changed, after a moment in which more may come. */
  const say = parts => {
    clearTimeout(saying)
    saying = setTimeout(() => {
      const content = document.getElementById('content')
      const told = ['.alert', '.messages', '.receipt [role="status"]', ...parts]
        .map(part => content.querySelector(part)).find(Boolean)
      const live = document.getElementById('live')
      if (told && live) live.textContent = told.textContent.replace(/\s+/g, ' ').trim()
    }, 400)
  }

  const isBusy = () => {
    const active = document.activeElement
    return document.hidden || Boolean(active && active.matches('input, textarea, select')) ||
      !document.getSelection().isCollapsed
  }

  document.addEventListener('htmx:configRequest', event => {
    // The place on the page is kept; only without JavaScript the address says where to go on.
    event.detail.path = event.detail.path.split('#')[0]
  })
  document.addEventListener('htmx:beforeRequest', event => {
    if (event.detail.elt.id === 'poll' && isBusy()) event.preventDefault()
  })
  document.addEventListener('htmx:beforeSwap', event => {
    const active = document.activeElement
    const inCell = active.closest('.spaces td')
    // The button that was pressed has lost the focus already: it is switched off meanwhile.
    isAsked = event.detail.requestConfig.elt.id !== 'poll'
    focused = inCell ? inCell.id : active.id || (isAsked || active !== document.body ? 'content' : '')
    open = [...document.querySelectorAll('details[open][id]')].map(each => each.id)
  })
  document.addEventListener('htmx:afterSwap', () => {
    for (const id of open) document.getElementById(id)?.setAttribute('open', '')
    prepare()
    if (focused) {
      const again = document.getElementById(focused) || document.getElementById('content')
      if (again !== document.activeElement) again.focus({ preventScroll: true })
    }
    const told = document.querySelector('#content .alert, #content .messages, #content .receipt')
    const shown = told || document.querySelector('.spaces .chosen')
    if (shown) requestAnimationFrame(() => shown.scrollIntoView({ block: 'nearest', behavior: 'instant' }))
    document.getElementById('trouble').hidden = true
    say(isAsked ? ['[data-say]', '.whose'] : ['.whose'])
  })
  const trouble = event => {
    if (event.detail.elt.id !== 'poll') document.getElementById('trouble').hidden = false
  }
  document.addEventListener('htmx:sendError', trouble)
  document.addEventListener('htmx:responseError', trouble)

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', prepare)
  else prepare()
})()
