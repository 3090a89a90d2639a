package p

import (
	"fmt"
	q "a/b"
)

type T[K any] struct{ x int }

func (t *T[K]) F(a ...int) (n int, err error) {
	defer t.G()
	for i := range a {
		switch v := any(i).(type) {
		case int:
			select {
			case <-c:
			default:
				go func() { fmt.Println(v) }()
			}
		}
	}
	return q.H(), nil
}
