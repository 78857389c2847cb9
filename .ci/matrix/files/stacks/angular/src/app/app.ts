import { Component, signal } from '@angular/core'
import { visit } from '../visit'

@Component({ selector: 'app-root', template: '<h1>edition 1, visit {{ visits() }}</h1>' })
export class App {
  readonly visits = signal(0)

  constructor() {
    void visit().then((count) => this.visits.set(count))
  }
}
