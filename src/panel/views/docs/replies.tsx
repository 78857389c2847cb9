import { Fact, Facts, JsonTree, StatusBadge } from '../../components/index.ts'
import { examplesOf, type ApiOperation, type ApiResponse, type OpenApi } from '../../data/open-api.ts'
import { SchemaView } from './schema-view.tsx'

export function RepliesView({ operation, document }: { readonly operation: ApiOperation; readonly document: OpenApi }) {
  return (
    <section class="section" aria-label="Replies">
      <h3 class="docs-part">Replies</h3>
      {Object.entries(operation.responses).map(([status, response]) => (
        <details key={status} class="docs-reply">
          <summary>
            <StatusBadge status={Number(status)} /> <span>{response.description}</span>
          </summary>
          <Reply response={response} document={document} />
        </details>
      ))}
    </section>
  )
}

function Reply({ response, document }: { readonly response: ApiResponse; readonly document: OpenApi }) {
  const { headers = {}, content = {} } = response
  const [media] = Object.values(content)
  const examples = media ? examplesOf(media, document) : []
  return (
    <div class="docs-reply-body">
      {media && <SchemaView schema={media.schema} document={document} />}
      {!media && <p class="muted">No body.</p>}
      {Object.keys(headers).length > 0 && (
        <Facts kind="docs-headers">
          {Object.entries(headers).map(([name, header]) => (
            <Fact key={name} title={<code>{name}</code>}>
              {(document.components.headers[header.$ref?.split('/').at(-1) ?? ''] ?? header).description}
            </Fact>
          ))}
        </Facts>
      )}
      {examples.length > 0 && (
        <>
          <h4>{examples.length === 1 ? 'Example' : 'Examples'}</h4>
          {examples.map((example, index) => (
            <JsonTree key={index} value={example} open={2} />
          ))}
        </>
      )}
    </div>
  )
}
