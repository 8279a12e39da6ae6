// Command driver-registrar registers a CSI driver with kubelet, as node-driver-registrar of the
// Kubernetes project does beside TopoLVM's node: it serves kubelet's Registration service on a socket
// of its own, and removes this socket when it ends.
//
// It stands for node-driver-registrar, whose module the Go module proxy does not have. It has the two
// calls and the socket's path in common with it, and nothing else: no probes, no metrics, and the
// name of the driver is a flag instead of an answer of the driver.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path"
	"syscall"
	"time"

	"google.golang.org/grpc"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

var (
	driver   = flag.String("driver", "topolvm.io", "name of the driver")
	endpoint = flag.String("endpoint", "", "socket of the driver's Node service")
	registry = flag.String("registry", "/var/lib/kubelet/plugins_registry", "kubelet's folder for such sockets")
)

// service is what kubelet calls. It prints the result of the registration to standard output.
type service struct {
	registration.UnimplementedRegistrationServer
	rejected chan<- string
}

func (service) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return &registration.PluginInfo{
		Type: registration.CSIPlugin, Name: *driver, Endpoint: *endpoint,
		SupportedVersions: []string{"1.0.0"}}, nil
}

func (s service) NotifyRegistrationStatus(_ context.Context, status *registration.RegistrationStatus) (
	*registration.RegistrationStatusResponse, error) {
	if status.PluginRegistered {
		fmt.Println("registered")
	} else {
		s.rejected <- status.Error
	}
	return &registration.RegistrationStatusResponse{}, nil
}

func waitForDriver() {
	for {
		connection, err := net.Dial("unix", *endpoint)
		if err == nil {
			connection.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// serve returns an error, or nil after a signal.
func serve() error {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	waitForDriver()
	socket := path.Join(*registry, *driver+"-reg.sock")
	if err := os.Remove(socket); err != nil && !os.IsNotExist(err) {
		return err
	}
	syscall.Umask(0o077)
	// The listener removes its socket when it is closed.
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	defer listener.Close()
	rejected, failed := make(chan string, 1), make(chan error, 1)
	server := grpc.NewServer()
	registration.RegisterRegistrationServer(server, service{rejected: rejected})
	go func() { failed <- server.Serve(listener) }()
	select {
	case <-ended:
		return nil
	case reason := <-rejected:
		return fmt.Errorf("kubelet does not register %s: %s", *driver, reason)
	case err := <-failed:
		return err
	}
}

func main() {
	flag.Parse()
	if *endpoint == "" {
		fmt.Fprintln(os.Stderr, "--endpoint is required")
		os.Exit(2)
	}
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
