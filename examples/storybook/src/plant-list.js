/** A component as an application has it: it knows nothing of mocks. */
export function createPlantList({ plantsUrl, key }) {
  const element = document.createElement('section')
  element.innerHTML = '<p role="status">Loading …</p><ul></ul>'
  const [status, list] = element.children
  const show = async () => {
    const response = await fetch(`${plantsUrl}/plants`, {
      headers: { authorization: `Bearer ${key}` },
    })
    if (response.status === 401) throw new Error('Your key has expired. Please get a new one.')
    if (response.status === 429) throw new Error('Too many requests. Please wait.')
    if (!response.ok) throw new Error('The plants are out of reach. Please try again later.')
    const plants = await response.json()
    status.textContent = `${plants.length} plants`
    list.replaceChildren(
      ...plants.map(({ name }) =>
        Object.assign(document.createElement('li'), { textContent: name }),
      ),
    )
  }
  show().catch((error) => (status.textContent = error.message))
  return element
}
